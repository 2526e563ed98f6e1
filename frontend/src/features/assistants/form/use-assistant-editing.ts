import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOut } from '@/api/types.gen'
import { useDraftNotice } from '@/components/use-draft-notice'
import { useLanguage } from '@/i18n/locale'
import { keepDraft, useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { problemText } from '@/lib/problems'
import { browserTimeZone } from '@/lib/time-zones'
import { useNewAssistantForm } from './assistant-form-context'
import type { Choices } from './form-choices'
import { toFormField } from './form-field'
import { focusPath, showNotice, unfoldAround } from './form-focus'
import { countChanges, forWebsite, newAssistant, toValues, withOnlyChoices, type AssistantValues } from './form-values'
import { useSaveAssistant } from './use-save-assistant'

/** Unsaved changes, and the version of the assistant that they were made on. */
interface Draft {
  values: AssistantValues
  version: number | null
}

export const draftName = (assistantId: string | null) => `assistant:${assistantId ?? 'new'}`

interface Options {
  /** Null for a new assistant. */
  assistant: AssistantOut | null
  choices: Choices
  /** The form on the page. */
  root: RefObject<HTMLFormElement | null>
  onSaved: (assistant: AssistantOut, activate: boolean) => void
}

/** Return the form of an assistant with its unsaved changes, which are kept as a draft, and the commands to save them. */
export function useAssistantEditing({ assistant, choices, root, onSaved }: Options) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const language = useLanguage()
  const queryClient = useQueryClient()
  const draft = useDraft<Draft>(draftName(assistant?.id ?? null))
  const [initialDraft] = useState(draft.read)
  const preset = choices.website && forWebsite(choices.website)
  const [saved, setSaved] = useState(() =>
    assistant ? toValues(assistant) : { ...withOnlyChoices(newAssistant(language, browserTimeZone()), choices), ...preset },
  )
  const [version, setVersion] = useState(initialDraft ? initialDraft.version : (assistant?.version ?? null))
  const form = useNewAssistantForm({
    // a draft of an older version of the app may lack a field
    initialValues: { ...saved, ...initialDraft?.values, ...preset, schedule: { ...saved.schedule, ...initialDraft?.values.schedule } },
    validate,
  })
  const changes = countChanges(saved, form.values)
  useDraftNotice(changes > 0, t('assistants:form.kept'))
  useEffect(() => {
    if (changes > 0) draft.keep({ values: form.values, version })
    else draft.drop()
  }, [draft, changes, form.values, version])

  const showErrors = (errors: Record<string, ReactNode>) => {
    form.setErrors(errors)
    // the errors are rendered by the next frame
    requestAnimationFrame(() => {
      for (const path of Object.keys(errors)) unfoldAround(root.current, path)
      focusPath(root.current, Object.keys(errors)[0])
    })
  }
  /** Base the form on the server's values. `shown`: the values in the form, if typed since. */
  const reset = (values: AssistantValues, of: number | null, shown = values) => {
    draft.drop()
    setSaved(values)
    setVersion(of)
    form.setInitialValues(values)
    form.setValues(shown)
    form.clearErrors()
  }
  const { save, problem, isStale, isSaving, decide } = useSaveAssistant({
    assistant,
    onErrors: (problem) => {
      const errors: Record<string, string> = {}
      for (const error of problem.errors) errors[toFormField(error.field)] ??= problemText(t, error)
      showErrors(errors)
    },
    onSaved: (result, sent, activate) => {
      const savedValues = toValues(result)
      const currentValues = withLaterEdits(savedValues, sent, form.getValues())
      // changes typed while a new assistant was saved are kept for its configuration page
      if (!assistant && countChanges(savedValues, currentValues) > 0) {
        keepDraft<Draft>(queryClient, draftName(result.id), { values: currentValues, version: result.version })
        notifications.show({ message: t('assistants:form.kept') })
      }
      reset(savedValues, result.version, assistant ? currentValues : savedValues)
      onSaved(result, activate)
    },
  })
  useEffect(() => {
    if (problem?.errors.length === 0) showNotice(root.current)
  }, [root, problem])

  /** Return the errors that prevent saving. Missing settings only prevent activation, which the server checks. */
  function validate(values: AssistantValues) {
    const errors: Record<string, string> = {}
    if (values.budget_unit !== 'none' && !(Number(values.budget_amount) > 0)) errors.budget_amount = t('validation.budget')
    // without a website, the assistant would be one for networks
    if (values.writes_for === 'website' && !values.website_id) errors.website_id = t('assistants:form.websiteRequired')
    return errors
  }

  /** Return the version to save. Activation raises it too: if nothing else differs, the form has the newest version. */
  const versionToSave = () => {
    if (!assistant) return null
    return countChanges(saved, toValues(assistant)) === 0 ? assistant.version : version
  }
  return {
    form,
    changes,
    problem,
    isStale,
    isSaving,
    showErrors,
    submit: (event?: FormEvent<HTMLFormElement>, activate = false) =>
      form.onSubmit((values) => save(values, versionToSave(), activate), showErrors)(event),
    discard: () => reset(assistant ? toValues(assistant) : saved, assistant?.version ?? null),
    /** The choice between two versions, after a change elsewhere. */
    decide: {
      takeTheirs: async () => {
        const newest = await decide.theirs()
        if (newest) reset(toValues(newest), newest.version)
      },
      keepMine: () => decide.mine(form.values),
      problem: decide.problem,
      isPending: decide.isPending,
    },
  }
}

export type AssistantEditing = ReturnType<typeof useAssistantEditing>
