import { Textarea } from '@mantine/core'
import { useId, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { ArticlePartInSchema } from '@/api/schemas.gen'
import type { Problem } from '@/lib/problems'

/** Return the handler of keys in a panel. Neither key reaches the form around it, which schedules the post. */
export const panelKeys = (onEscape: () => void, onEnter?: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const { target, key } = event
  if (!(target instanceof HTMLElement)) return
  const isList = target.getAttribute('aria-haspopup') === 'listbox'
  const isOpenList = isList && target.getAttribute('aria-expanded') === 'true'
  if (key === 'Enter' && target instanceof HTMLInputElement) {
    const isHandled = event.defaultPrevented
    event.preventDefault()
    if (!isHandled && !isList) onEnter?.()
  }
  if (key === 'Escape' && !isOpenList) {
    event.stopPropagation()
    onEscape()
  }
}

/** Return the problem, unless each of its errors is shown at one of the fields. */
export const problemBesidesFields = (problem: Problem | null, errors: Record<string, string>, fields: readonly string[]): Problem | null =>
  problem && problem.errors.length > 0 && Object.keys(errors).every((field) => fields.includes(field)) ? null : problem

interface WritingPanelProps {
  ref?: Ref<HTMLElement>
  title: string
  /** Called for Enter in an input of one line. */
  onEnter?: () => void
  onEscape: () => void
  children: ReactNode
}

/** The panel in which a text or an image is ordered. */
export function WritingPanel({ ref, title, onEnter, onEscape, children }: WritingPanelProps) {
  const id = useId()
  return (
    <section ref={ref} className="writing-panel" role="group" aria-labelledby={id} onKeyDown={panelKeys(onEscape, onEnter)}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

interface RemarkFieldProps {
  label: string
  description: string
  value: string
  error?: string
  disabled: boolean
  autoFocus: boolean
  onChange: (remark: string) => void
  onStart: () => void
}

/** What is to be different in a text that is written again. Ctrl Enter starts. */
export function RemarkField({ onChange, onStart, ...props }: RemarkFieldProps) {
  return (
    <Textarea
      {...props}
      maxLength={ArticlePartInSchema.properties.remark.maxLength}
      autosize
      minRows={2}
      maxRows={6}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        onStart()
      }}
    />
  )
}
