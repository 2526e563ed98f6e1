import { isNotEmpty, useForm, type UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut, TemplateType } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useKeptNotice } from '@/components/use-kept-notice'
import type { Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { keepDraft, useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { errorAt, fieldErrors, problemText, type Problem } from '@/lib/problems'
import { templateQuery, useCreateTemplate, useUpdateTemplate } from '@/features/templates/api'
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
  /** It was deleted elsewhere: what was typed can only be saved as a new one. */
  gone: boolean
  onCreated: (templateId: string) => void
  onInvalid: (errors: Record<string, unknown>) => void
  /** Why it was not saved stands over the form, which is long: its save button may be far below. */
  onRefused: () => void
}

/** The editor's values: kept while they are not saved, never over a version that was not seen. */
export function useTemplateForm({ template, gone, onCreated, onInvalid, onRefused }: Options) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const interfaceLanguage = useLanguage()
  const queryClient = useQueryClient()
  const draft = useDraft<Kept>(draftName(template?.id))
  const create = useCreateTemplate()
  const update = useUpdateTemplate()
  const saving = create.isPending || update.isPending
  const underWay = useRef(false)
  /** Handed in while a save was under way: it follows. */
  const next = useRef<Values>(undefined)
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
      body: isNotEmpty(t('templates:bodyRequired')),
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
  useKeptNotice(changes > 0, t('templates:kept', { name: values.name || t('templates:unnamed') }))

  /** Whether it was saved or deleted elsewhere, which the page tells as soon as it is known. */
  const overtaken = async (templateId: string, over: number) => {
    const { queryKey } = templateQuery(templateId)
    await queryClient.invalidateQueries({ queryKey })
    const known = queryClient.getQueryState<TemplateOut, Problem>(queryKey)
    return known?.error?.code === 'not_found' || (known?.data?.version ?? 0) > over
  }
  const failed = async (problem: Problem, over: number) => {
    const elsewhere = problem.code === 'stale_version' || problem.code === 'not_found'
    if (elsewhere && template && !gone && (await overtaken(template.id, over))) return onRefused()
    const found = fieldErrors(t, problem)
    const tags = errorAt(found, 'tags')
    const errors = tags ? { ...found, tags } : found
    form.setErrors(errors)
    onInvalid(errors)
    const reason = problem.errors.length === 0 ? problemText(t, problem) : ''
    setMessage(`${t('templates:saveFailed')} ${reason}`.trim())
    if (reason) onRefused()
  }
  const savedAs = (result: TemplateOut, sent: Values) => {
    const theirs = valuesOf(result)
    setVersion(result.version)
    setSaved(theirs)
    form.setInitialValues(theirs)
    form.setValues(withLaterEdits(theirs, sent, form.getValues()))
    form.clearErrors()
    notifications.show({ message: t('templates:saved', { number: result.version }) })
    const later = next.current && withLaterEdits(theirs, sent, next.current)
    if (later && differences(later, theirs) > 0) save(later, result.version)
  }
  const createdAs = (result: TemplateOut, sent: Values) => {
    const now = withLaterEdits(valuesOf(result), sent, form.getValues())
    draft.drop()
    // what was typed since goes on where the new one is edited
    if (differences(now, valuesOf(result)) > 0)
      keepDraft<Kept>(queryClient, draftName(result.id), { values: now, version: result.version })
    setSaved(form.getValues())
    onCreated(result.id)
  }
  const save = (body: Values, over: number) => {
    if (underWay.current) {
      next.current = body
      return
    }
    underWay.current = true
    next.current = undefined
    setMessage(undefined)
    const answered = {
      onSuccess: (result: TemplateOut) => {
        underWay.current = false
        if (template && !gone) savedAs(result, body)
        else createdAs(result, body)
      },
      onError: (problem: Problem) => {
        underWay.current = false
        void failed(problem, over)
      },
    }
    if (template && !gone)
      update.mutate({ path: { template_id: template.id }, body: { ...body, version: over } }, answered)
    else create.mutate({ body }, answered)
  }
  const discard = () => {
    const typed = values
    draft.drop()
    setMessage(undefined)
    form.setValues(saved)
    form.clearErrors()
    showUndo({
      message: t('discarded'),
      label: t('undo'),
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
    submit: (event?: FormEvent<HTMLFormElement>) => form.onSubmit((body) => save(body, version), onInvalid)(event),
    discard,
    /** Take the newer version, and give up what was typed; it can be taken back. */
    loadNewer: (next: TemplateOut) => {
      const typed = values
      show(next)
      showUndo({
        message: t('discarded'),
        label: t('undo'),
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
