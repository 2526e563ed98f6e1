import type { UseFormReturnType } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { problemText, type Problem } from '@/lib/problems'
import { withRemedy } from './problem-text'

export interface ErrorOptions<Values> {
  /** Return errors by field that are known without the server. */
  lacks?: (values: Values) => Record<string, string>
  /** Return a refusal's errors by field. */
  errorsOf: (problem: Problem) => Record<string, string>
  /** The fields that show errors, in visual order. */
  fields: readonly string[]
}

/** Show why a form cannot be saved: at its fields, and in a message above it. */
export function useSaveErrors<Values extends object>(form: UseFormReturnType<Values>, { lacks, errorsOf, fields }: ErrorOptions<Values>) {
  const { t } = useTranslation(['common', 'errors'])
  const [message, setMessage] = useState<ReactNode>()

  /** `movesFocus`: focus the first invalid field. */
  const showAtFields = (errors: Record<string, string>, movesFocus: boolean) => {
    form.setErrors(errors)
    const firstOf = (field: string) => (field in errors ? field : Object.keys(errors).find((path) => path.startsWith(`${field}.`)))
    const first = fields.map(firstOf).find(Boolean)
    if (movesFocus && first) requestAnimationFrame(() => focusField(first))
  }
  return {
    message,
    clear: () => {
      setMessage(undefined)
      form.clearErrors()
    },
    /** Show the errors that are known without the server. Return whether there are any. */
    showMissing: (movesFocus: boolean): boolean => {
      const errors = lacks?.(form.getValues()) ?? {}
      if (Object.keys(errors).length === 0) return false
      showAtFields(errors, movesFocus)
      return true
    },
    show: (problem: Problem, movesFocus: boolean) => {
      showAtFields(errorsOf(problem), movesFocus)
      // with this code the object is saved, and only the publishing is refused
      const failure = problem.code === 'subscription_required' ? 'drafts.notOut' : 'drafts.saveFailed'
      setMessage(problem.errors.length === 0 ? withRemedy(problem.code, `${t(failure)} ${problemText(t, problem)}`) : undefined)
    },
  }
}

/** Focus the input of a field, else its first button or link. */
export function focusField(field: string) {
  const place = document.querySelector(`[data-field="${field}"]`)
  const typed = 'textarea, input, [contenteditable="true"]'
  const able = place?.matches(typed) ? place : (place?.querySelector(typed) ?? place?.querySelector('button, a'))
  // open collapsed parts, which cannot take the focus
  place?.closest('details')?.setAttribute('open', '')
  if (able instanceof HTMLElement) able.focus()
}
