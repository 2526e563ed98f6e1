import { isNotEmpty, useForm, type UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useDraftNotice } from '@/components/use-draft-notice'
import { templateQuery } from '@/features/templates/api'
import { useLanguage } from '@/i18n/locale'
import { keepDraft, useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { errorAt, fieldErrors, problemText, type Problem } from '@/lib/problems'
import { differences } from './settings'
import { draftName, emptyValues, valuesOf, type TemplateDraft, type Values } from './template-values'
import { useSaveTemplate } from './use-save-template'

export type TemplateForm = UseFormReturnType<Values>

interface Options {
  /** Undefined for a new template. */
  template: TemplateOut | undefined
  /** The template was deleted elsewhere, so the values can only be saved as a new one. */
  isDeleted: boolean
  onCreated: (templateId: string) => void
  onInvalid: (errors: Record<string, unknown>) => void
  /** Called when a notice above the form, which may be far from the save button, says why it was not saved. */
  onRefused: () => void
}

/** The values of a template in its editor: kept as a draft until they are saved, and never saved over an unseen version. */
export function useTemplateForm({ template, isDeleted, onCreated, onInvalid, onRefused }: Options) {
  const { t } = useTranslation(['common', 'templates'])
  const language = useLanguage()
  const queryClient = useQueryClient()
  const draft = useDraft<TemplateDraft>(draftName(template?.id))
  const [initialDraft] = useState(draft.read)
  /** What the values in the form are based on. */
  const [base, setBase] = useState<TemplateDraft>(() => ({
    values: template ? valuesOf(template) : emptyValues(language),
    version: initialDraft?.version ?? template?.version ?? 0,
  }))
  const { version } = base
  const form = useForm<Values>({
    initialValues: initialDraft?.values ?? base.values,
    validateInputOnBlur: true,
    validate: {
      name: isNotEmpty(t('validation.name')),
      body: isNotEmpty(t('templates:bodyRequired')),
    },
  })
  const { values } = form
  const { message, clearMessage, showFailure } = useSaveFailure({ form, templateId: isDeleted ? undefined : template?.id, onInvalid, onRefused })
  const changes = differences(values, base.values)
  const { save, saving } = useSaveTemplate({
    templateId: isDeleted ? undefined : template?.id,
    onSaved,
    onFailed: (problem, version) => void showFailure(problem, version),
  })
  const newer = template && template.version > version && !saving ? template : undefined

  const baseOn = (next: TemplateOut) => setBase({ values: valuesOf(next), version: next.version })
  // saved elsewhere without changes here: show the newer version
  if (newer && changes === 0) {
    baseOn(newer)
    form.setValues(valuesOf(newer))
  }
  useEffect(() => {
    if (changes > 0) draft.keep({ values, version })
    else draft.drop()
  }, [draft, changes, values, version])
  useDraftNotice(changes > 0, t('templates:kept', { name: values.name || t('templates:unnamed') }))

  function onSaved(saved: TemplateOut, sent: Values) {
    const shown = withLaterEdits(valuesOf(saved), sent, form.getValues())
    if (template && !isDeleted) {
      baseOn(saved)
      form.setValues(shown)
      form.clearErrors()
      notifications.show({ message: t('templates:saved', { number: saved.version }) })
      return
    }
    draft.drop()
    // what was typed during the save is kept for the editor of the created template
    if (differences(shown, valuesOf(saved)) > 0)
      keepDraft<TemplateDraft>(queryClient, draftName(saved.id), { values: shown, version: saved.version })
    setBase({ values: form.getValues(), version })
    onCreated(saved.id)
  }

  const submit = form.onSubmit((submitted) => {
    clearMessage()
    save(submitted, version)
  }, onInvalid)

  /** Show `saved` instead of the typed values, with an undo that restores them. */
  const replaceTyped = (saved: Values) => {
    clearMessage()
    form.setValues(saved)
    form.clearErrors()
    showUndo({ message: t('discarded'), label: t('undo'), undo: () => form.setValues(values) })
  }
  return {
    form,
    version,
    changes,
    saving,
    message,
    submit,
    discard: () => replaceTyped(base.values),
    /** The version saved elsewhere while there are changes here, and the ways to go on. */
    conflict:
      newer && changes > 0
        ? {
            theirs: newer,
            load: () => {
              baseOn(newer)
              replaceTyped(valuesOf(newer))
            },
            /** Keep the changes made here, over the newer version. */
            keepMine: () => baseOn(newer),
          }
        : undefined,
  }
}

export type EditedTemplate = ReturnType<typeof useTemplateForm>

interface FailureOptions extends Pick<Options, 'onInvalid' | 'onRefused'> {
  form: TemplateForm
  /** Undefined if the values are saved as a new template. */
  templateId: string | undefined
}

/** Return what shows why a template was not saved: at its fields, and in a message above the form. */
function useSaveFailure({ form, templateId, onInvalid, onRefused }: FailureOptions) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const queryClient = useQueryClient()
  const [message, setMessage] = useState<string>()

  /** Return whether the template was saved or deleted elsewhere, which the page shows as soon as it is known. */
  const isOutdated = async (id: string, version: number) => {
    const { queryKey } = templateQuery(id)
    await queryClient.invalidateQueries({ queryKey })
    const state = queryClient.getQueryState<TemplateOut, Problem>(queryKey)
    return state?.error?.code === 'not_found' || (state?.data?.version ?? 0) > version
  }
  /** Show why the values were not saved over that version. */
  async function showFailure(problem: Problem, version: number) {
    const isChangedElsewhere = problem.code === 'stale_version' || problem.code === 'not_found'
    if (isChangedElsewhere && templateId && (await isOutdated(templateId, version))) return onRefused()
    const serverErrors = fieldErrors(t, problem)
    const tags = errorAt(serverErrors, 'tags')
    const errors = tags ? { ...serverErrors, tags } : serverErrors
    form.setErrors(errors)
    onInvalid(errors)
    const reason = problem.errors.length === 0 ? problemText(t, problem) : ''
    setMessage(`${t('templates:saveFailed')} ${reason}`.trim())
    if (reason) onRefused()
  }
  return { message, clearMessage: () => setMessage(undefined), showFailure }
}
