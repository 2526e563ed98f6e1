import { isNotEmpty, useForm, type UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut, TemplateType } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useKeptNotice } from '@/components/use-kept-notice'
import type { Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { fieldErrors, problemText, type Problem } from '@/lib/problems'
import { templateQuery, useCreateTemplate, useUpdateTemplate } from './api'
import { differences, settingsOf, type Settings } from './settings'

const NEW = 'new'

export interface Values {
  name: string
  type: TemplateType
  language: Language
  tags: string[]
  description: string
  body: string
  settings: Settings
}

export type TemplateForm = UseFormReturnType<Values>

interface Kept {
  values: Values
  /** The version that the values were typed over. */
  version: number
}

const valuesOf = ({ name, type, language, tags, description, body, settings }: TemplateOut): Values => ({
  name,
  type,
  language,
  tags,
  description,
  body,
  settings: settingsOf(settings),
})

export const draftName = (templateId: string | undefined) => `template:${templateId ?? NEW}`

interface Options {
  /** Nothing for a new one. */
  template: TemplateOut | undefined
  onCreated: (templateId: string) => void
  onInvalid: (errors: Record<string, unknown>) => void
}

/** The editor's values: kept while they are not saved, never over a version that was not seen. */
export function useTemplateForm({ template, onCreated, onInvalid }: Options) {
  const { t } = useTranslation()
  const interfaceLanguage = useLanguage()
  const queryClient = useQueryClient()
  const draft = useDraft<Kept>(draftName(template?.id))
  const create = useCreateTemplate()
  const update = useUpdateTemplate()
  const saving = create.isPending || update.isPending
  const [kept] = useState(draft.read)
  const [version, setVersion] = useState(kept?.version ?? template?.version ?? 0)
  const [message, setMessage] = useState<string>()
  const [saved, setSaved] = useState<Values>(
    template
      ? valuesOf(template)
      : { name: '', type: 'text', language: interfaceLanguage, tags: [], description: '', body: '', settings: settingsOf() },
  )
  const form = useForm<Values>({
    initialValues: kept?.values ?? saved,
    validateInputOnBlur: true,
    validate: {
      name: isNotEmpty(t('validation.name')),
      body: isNotEmpty(t('templates.bodyRequired')),
    },
  })
  const { values } = form
  const changes = differences(values, saved)
  const isNewer = template !== undefined && template.version > version && !saving

  const show = (next: TemplateOut) => {
    draft.drop()
    setVersion(next.version)
    setSaved(valuesOf(next))
    setMessage(undefined)
    form.setInitialValues(valuesOf(next))
    form.setValues(valuesOf(next))
    form.clearErrors()
  }
  // saved elsewhere while nothing was typed here: the newer one is simply shown
  if (isNewer && changes === 0) {
    setVersion(template.version)
    setSaved(valuesOf(template))
    form.setInitialValues(valuesOf(template))
    form.setValues(valuesOf(template))
  }

  useEffect(() => {
    if (changes > 0) draft.keep({ values, version })
    else draft.drop()
  }, [draft, changes, values, version])
  useKeptNotice(changes > 0, t('templates.kept', { name: values.name || t('templates.unnamed') }))

  const failed = async (problem: Problem) => {
    if (problem.code === 'stale_version' && template) {
      await queryClient.fetchQuery({ ...templateQuery(template.id), staleTime: 0 })
      return
    }
    const errors = fieldErrors(t, problem)
    form.setErrors(errors)
    onInvalid(errors)
    const reason = problem.errors.length === 0 ? problemText(t, problem) : ''
    setMessage(`${t('templates.saveFailed')} ${reason}`.trim())
  }
  const save = (body: Values) => {
    setMessage(undefined)
    const onError = (problem: Problem) => void failed(problem)
    if (template)
      update.mutate(
        { path: { template_id: template.id }, body: { ...body, version } },
        {
          onSuccess: (next) => {
            show(next)
            notifications.show({ message: t('templates.saved', { number: next.version }) })
          },
          onError,
        },
      )
    else
      create.mutate(
        { body },
        {
          onSuccess: (next) => {
            draft.drop()
            onCreated(next.id)
          },
          onError,
        },
      )
  }
  const discard = () => {
    const typed = values
    draft.drop()
    setMessage(undefined)
    form.setValues(saved)
    form.clearErrors()
    showUndo({
      message: t('templates.discarded'),
      label: t('common.undo'),
      undo: () => form.setValues(typed),
    })
  }
  return {
    form,
    saved,
    version,
    changes,
    saving,
    message,
    /** Saved elsewhere while something was typed here. */
    newer: isNewer && changes > 0 ? template : undefined,
    submit: form.onSubmit(save, onInvalid),
    discard,
    /** Take the newer version, and give up what was typed; it can be taken back. */
    loadNewer: (next: TemplateOut) => {
      const typed = values
      show(next)
      showUndo({
        message: t('templates.discarded'),
        label: t('common.undo'),
        undo: () => form.setValues(typed),
      })
    },
    /** Go on with what was typed, over the newer version. */
    keepMine: (next: TemplateOut) => {
      setVersion(next.version)
      setSaved(valuesOf(next))
    },
  }
}
