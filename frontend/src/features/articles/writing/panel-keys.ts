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

/** The problem, unless each of its errors is shown at one of `fields`. */
export const problemBesidesFields = (problem: Problem | null, errors: Record<string, string>, fields: readonly string[]): Problem | null =>
  problem && problem.errors.length > 0 && Object.keys(errors).every((field) => fields.includes(field)) ? null : problem
