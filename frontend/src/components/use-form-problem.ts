import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors, type Problem } from '@/lib/problems'
import { useProblemText } from './use-problem-text'

/**
 * Show why a call failed: at the fields that the server names, at the field of a code (`at`), else as a sentence above
 * the form. Focus the first invalid field; typed values are kept.
 */
export function useFormProblem<Values extends object>(
  form: UseFormReturnType<Values>,
  at: Partial<Record<Problem['code'], keyof Values & string>> = {},
) {
  const { t } = useTranslation(['common', 'errors'])
  const textOf = useProblemText()
  const [message, setMessage] = useState<string>()
  const show = (problem: Problem) => {
    const place = at[problem.code]
    const errors = place && problem.errors.length === 0 ? { [place]: textOf(problem) } : fieldErrors(t, problem)
    const fieldNames = Object.keys(form.getValues()).filter((field) => field in errors)
    form.setErrors(errors)
    setMessage(fieldNames.length === 0 ? textOf(problem) : undefined)
    if (fieldNames[0]) form.getInputNode(fieldNames[0])?.focus()
  }
  return {
    message,
    show,
    clear: () => setMessage(undefined),
    /** Focus the first field that was found invalid before the call. */
    focusInvalid: (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  }
}
