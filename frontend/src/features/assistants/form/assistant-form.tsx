import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { FormSection } from '@/components/form-section'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import {
  accountsQuery,
  optionsQuery,
  websitesQuery,
} from '@/features/assistants/api'
import { MissingList } from '@/features/assistants/missing-list'
import { problemText } from '@/lib/problems'
import { allTemplatesQuery, allTopicTreesQuery } from '@/lib/unpaged-lists'
import { AboutSection } from './about-section'
import { AssistantFormProvider } from './assistant-form-context'
import type { Choices, ImagesField } from './form-choices'
import { focusPath } from './form-focus'
import { looksComplete } from './form-values'
import { FurtherSections } from './further-sections'
import { TextSection } from './text-section'
import { useAssistantEditing, type AssistantEditing } from './use-assistant-editing'
import { WritesFor } from './writes-for'

interface AssistantFormProps {
  /** Null for a new assistant. */
  assistant: AssistantOut | null
  imagesField: ImagesField
  /** The website that a new assistant writes for. */
  websiteId?: string
  /** The field that gets the focus, such as the one that a link names. */
  startAt?: string
  /** `activate`: the person pressed Save and activate, which only a new assistant offers. */
  onSaved: (assistant: AssistantOut, activate: boolean) => void
  /** The page is still processing the save. */
  busy?: boolean
}

/** The configuration of an assistant, shown when its choices are loaded. */
export function AssistantForm(props: AssistantFormProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const accounts = useQuery(accountsQuery)
  const options = useQuery(optionsQuery)
  const topicTrees = useQuery(allTopicTreesQuery)
  const textTemplates = useQuery(allTemplatesQuery('text'))
  const imageTemplates = useQuery(allTemplatesQuery('image'))
  const { websiteId } = props
  const websites = useQuery({ ...websitesQuery, enabled: websiteId !== undefined })
  const all = [accounts, options, topicTrees, textTemplates, imageTemplates, websites]
  const failed = all.find((query) => query.isError)
  if (failed?.error) {
    const retry = () => void Promise.all(all.filter((query) => query.isError).map((query) => query.refetch()))
    return <Failure title={t('assistants:form.loadFailed')} problem={failed.error} onRetry={retry} />
  }
  const waits = websiteId !== undefined && !websites.data
  if (waits || !accounts.data || !options.data || !topicTrees.data || !textTemplates.data || !imageTemplates.data) {
    return <RowSkeletons rows={6} />
  }
  const choices: Choices = {
    accounts: accounts.data,
    options: options.data,
    topicTrees: topicTrees.data.items,
    textTemplates: textTemplates.data.items,
    imageTemplates: imageTemplates.data.items,
    website: websites.data?.find(({ id }) => id === websiteId),
  }
  return <ConfigurationForm {...props} choices={choices} />
}

function ConfigurationForm({ assistant, imagesField, startAt, onSaved, busy = false, choices }: AssistantFormProps & { choices: Choices }) {
  const { t } = useTranslation(['common', 'assistants'])
  const root = useRef<HTMLFormElement>(null)
  const editing = useAssistantEditing({ assistant, choices, root, onSaved })
  const { form, changes } = editing
  useEffect(() => {
    if (startAt) focusPath(root.current, startAt)
  }, [startAt])
  return (
    <AssistantFormProvider form={form}>
      <form ref={root} onSubmit={(event) => editing.submit(event)} noValidate className="assistant-form">
        {editing.isStale ? <StaleBanner decide={editing.decide} /> : <SaveErrors editing={editing} isNew={!assistant} />}
        {assistant && !assistant.active && assistant.missing.length > 0 && changes === 0 && (
          <div className="missing-notice">
            <strong>{t('assistants:form.missing')}</strong>
            <MissingList assistant={assistant} problems={assistant.missing} />
          </div>
        )}
        <FormSection title={t('assistants:form.writesFor')} hint={t('assistants:form.writesForHint')}>
          <WritesFor assistant={assistant} />
        </FormSection>
        <AboutSection choices={choices} assistant={assistant} />
        <TextSection />
        <FurtherSections choices={choices} assistant={assistant} imagesField={imagesField} onErrors={editing.showErrors} />
        <SaveBar
          changes={changes}
          saving={editing.isSaving || busy}
          onDiscard={editing.discard}
          saveLabel={t('assistants:form.save')}
          isNew={!assistant}
          more={
            !assistant && looksComplete(form.values)
              ? { label: t('assistants:form.saveAndActivate'), onSave: () => editing.submit(undefined, true) }
              : undefined
          }
        />
      </form>
    </AssistantFormProvider>
  )
}

/** The notice that the assistant was changed elsewhere, with the choice which version to keep. */
function StaleBanner({ decide }: { decide: AssistantEditing['decide'] }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  return (
    <Banner
      tone="turn"
      title={t('assistants:form.staleTitle')}
      action={
        <span className="banner-actions">
          <Button size="xs" variant="default" loading={decide.isPending} onClick={() => void decide.takeTheirs()}>
            {t('assistants:form.takeTheirs')}
          </Button>
          <Button size="xs" color="saffron" disabled={decide.isPending} onClick={() => void decide.keepMine()}>
            {t('assistants:form.keepMine')}
          </Button>
        </span>
      }
    >
      {t('assistants:form.staleText')}
      {decide.problem && (
        <p role="alert">
          {t('assistants:form.staleFailed')} {problemText(t, decide.problem)}
        </p>
      )}
    </Banner>
  )
}

/** Says why the assistant could not be saved. */
function SaveErrors({ editing: { form, problem }, isNew }: { editing: AssistantEditing; isNew: boolean }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  if (!problem || problem.errors.length > 0)
    return <FormErrors message={problem ? t('assistants:form.saveErrors') : undefined} fields={form.errors} />
  return (
    <FormErrors
      message={t(isNew ? 'assistants:saveFailed' : 'assistants:configurationFailed')}
      more={`${t('changesKept')} ${problemText(t, problem)}`}
      fields={form.errors}
    />
  )
}
