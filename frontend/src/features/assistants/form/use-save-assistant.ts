import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOut } from '@/api/types.gen'
import { assistantQuery, useCreateAssistant, useUpdateAssistant } from '@/features/assistants/api'
import { freshQueryOptions } from '@/lib/fresh-query-options'
import { useMutateOnce } from '@/lib/one-at-a-time'
import type { Problem } from '@/lib/problems'
import { toBody, type AssistantValues } from './form-values'

interface Options {
  /** Null for a new assistant. */
  assistant: AssistantOut | null
  onErrors: (problem: Problem) => void
  /** `sent`: the values of the form when it was submitted. */
  onSaved: (assistant: AssistantOut, sent: AssistantValues, activate: boolean) => void
}

/**
 * Return what creates or updates an assistant. After a change elsewhere, `decide` loads that version or saves over it.
 */
export function useSaveAssistant({ assistant, onErrors, onSaved }: Options) {
  const { t } = useTranslation(['common', 'assistants'])
  const queryClient = useQueryClient()
  const create = useCreateAssistant()
  const update = useUpdateAssistant()
  const createOnce = useMutateOnce(create)
  const updateOnce = useMutateOnce(update)
  const [stale, setStale] = useState(false)
  const problem = create.error ?? update.error

  const save = (values: AssistantValues, version: number | null, activate = false) => {
    const onError = (problem: Problem) => {
      setStale(problem.code === 'stale_version')
      onErrors(problem)
    }
    if (!assistant || version === null) {
      createOnce({ body: toBody(values) }, { onSuccess: (result) => onSaved(result, values, activate), onError })
      return
    }
    updateOnce(
      { path: { assistant_id: assistant.id }, body: { ...toBody(values), version } },
      {
        onSuccess: ({ assistant: result, confirmed }) => {
          setStale(false)
          if (!confirmed) notifications.show({ message: t('assistants:form.savedLater') })
          onSaved(result, values, false)
        },
        onError,
      },
    )
  }
  const fetched = useMutation<AssistantOut, Problem>({
    mutationFn: () => queryClient.fetchQuery({ ...assistantQuery(assistant?.id ?? ''), ...freshQueryOptions }),
  })
  /** Return the assistant as the server has it now. Undefined if that failed: `decide.problem` says why. */
  const newest = () => fetched.mutateAsync().catch(() => undefined)
  return {
    save,
    problem,
    isStale: stale,
    isSaving: create.isPending || update.isPending,
    decide: {
      theirs: async () => {
        const latest = await newest()
        if (!latest) return undefined
        setStale(false)
        update.reset()
        return latest
      },
      mine: async (values: AssistantValues) => {
        const latest = await newest()
        if (latest) save(values, latest.version)
      },
      problem: fetched.error,
      isPending: fetched.isPending,
    },
  }
}
