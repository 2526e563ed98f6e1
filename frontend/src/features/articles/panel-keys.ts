import type { KeyboardEvent } from 'react'
import type { Problem } from '@/lib/problems'

/** Escape closes it. The form around it, which schedules the article, hears of no Enter. */
export function onPanelKey(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const { target, key } = event
  if (!(target instanceof HTMLElement)) return
  if (key === 'Enter' && target instanceof HTMLInputElement) event.preventDefault()
  const isOpenList = target.getAttribute('aria-haspopup') === 'listbox' && target.getAttribute('aria-expanded') === 'true'
  if (key !== 'Escape' || isOpenList) return
  event.stopPropagation()
  close()
}

const FIELD = /^(template_id|topic_id|inputs\..*|remark)$/

/** What no field of the panel tells. */
export const placed = (problem: Problem | null, errors: Record<string, string>): Problem | null =>
  problem && problem.errors.length > 0 && Object.keys(errors).every((field) => FIELD.test(field)) ? null : problem
