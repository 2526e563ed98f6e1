import { useRef } from 'react'
import type { TemplateOut } from '@/api/types.gen'
import { useCreateTemplate, useUpdateTemplate } from '@/features/templates/api'
import { withLaterEdits } from '@/lib/edits'
import type { Problem } from '@/lib/problems'
import { differences } from './settings'
import { valuesOf, type Values } from './template-values'

interface Options {
  /** Undefined to create a template. */
  templateId: string | undefined
  onSaved: (saved: TemplateOut, sent: Values) => void
  /** `version`: the version that the values are based on. */
  onFailed: (problem: Problem, version: number) => void
}

/** Save values over a version. Values that are submitted while a save is in progress are saved over its result. */
export function useSaveTemplate({ templateId, onSaved, onFailed }: Options) {
  const create = useCreateTemplate()
  const update = useUpdateTemplate()
  const inProgress = useRef(false)
  const next = useRef<Values>(undefined)

  const save = (values: Values, version: number) => {
    if (inProgress.current) {
      next.current = values
      return
    }
    inProgress.current = true
    next.current = undefined
    const callbacks = {
      onSuccess: (saved: TemplateOut) => {
        inProgress.current = false
        onSaved(saved, values)
        const later = templateId && next.current && withLaterEdits(valuesOf(saved), values, next.current)
        if (later && differences(later, valuesOf(saved)) > 0) save(later, saved.version)
      },
      onError: (problem: Problem) => {
        inProgress.current = false
        onFailed(problem, version)
      },
    }
    if (templateId) update.mutate({ path: { template_id: templateId }, body: { ...values, version } }, callbacks)
    else create.mutate({ body: values }, callbacks)
  }
  return { save, saving: create.isPending || update.isPending }
}
