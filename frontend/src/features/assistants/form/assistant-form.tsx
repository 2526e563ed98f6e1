import { Button, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOptionsOut, AssistantOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { FormMore } from '@/components/form-more'
import { FormSection } from '@/components/form-section'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import { useKeptNotice } from '@/components/use-kept-notice'
import { useLanguage } from '@/i18n/locale'
import { freshQueryOptions } from '@/lib/fresh-query-options'
import { cutText } from '@/lib/cut-text'
import { keepDraft, useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { problemText, type Problem } from '@/lib/problems'
import { browserTimeZone } from '@/lib/time-zones'
import {
  accountsQuery,
  assistantQuery,
  imageTemplatesQuery,
  optionsQuery,
  textTemplatesQuery,
  topicTreesQuery,
  useCreateAssistant,
  useUpdateAssistant,
  websitesQuery,
} from '@/features/assistants/api'
import { EndingFields } from './ending-fields'
import type { Choices, ImagesField } from './form-choices'
import { FurtherSections } from './further-sections'
import { AssistantFormProvider, useAssistantForm, useNewAssistantForm } from './assistant-form-context'
import { toFormField } from './form-field'
import { countChanges, forWebsite, LONGEST_NAME, looksComplete, newAssistant, toBody, toValues, withOnlyChoices, writtenFor, type AssistantValues } from './form-values'
import { MissingList } from '@/features/assistants/missing-list'
import { NoChoice, TemplateSelect } from './template-select'
import { VariableFields } from './variable-fields'
import { WritesFor } from './writes-for'

interface AssistantFormProps {
  /** None: a new one. */
  assistant: AssistantOut | null
  imagesField: ImagesField
  /** Of a new one: the website that it is to write for. */
  websiteId?: string
  /** The field to begin at, such as the one that a missing thing points to. */
  startAt?: string
  /** `activate`: it was asked for in the same breath, which only a new one offers. */
  onSaved: (assistant: AssistantOut, activate: boolean) => void
  /** What comes after saving is under way. */
  busy?: boolean
}

/** Loads what there is to choose from, then shows the form. */
export function AssistantForm(props: AssistantFormProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const accounts = useQuery(accountsQuery)
  const options = useQuery(optionsQuery)
  const topicTrees = useQuery(topicTreesQuery)
  const textTemplates = useQuery(textTemplatesQuery)
  const imageTemplates = useQuery(imageTemplatesQuery)
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
  return <Form {...props} choices={choices} />
}

function Form({ assistant, imagesField, startAt, onSaved, busy = false, choices }: AssistantFormProps & { choices: Choices }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const language = useLanguage()
  const id = assistant?.id ?? null
  const asked = choices.website && forWebsite(choices.website)
  const [saved, setSaved] = useState(() =>
    assistant ? toValues(assistant) : { ...withOnlyChoices(newAssistant(language, browserTimeZone()), choices), ...asked },
  )
  const queryClient = useQueryClient()
  const draft = useDraft<Kept>(draftName(id))
  const [kept] = useState(draft.read)
  const [version, setVersion] = useState(kept ? kept.version : (assistant?.version ?? null))
  const root = useRef<HTMLFormElement>(null)
  const form = useNewAssistantForm({
    // what an older version of the app kept may lack a field
    initialValues: { ...saved, ...kept?.values, ...asked, schedule: { ...saved.schedule, ...kept?.values.schedule } },
    validate: validated,
  })
  const changes = countChanges(saved, form.values)
  useKeptNotice(changes > 0, t('assistants:form.kept'))
  useEffect(() => {
    if (changes > 0) draft.keep({ values: form.values, version })
    else draft.drop()
  }, [draft, changes, form.values, version])
  useStart(root, startAt)

  const showErrors = (errors: Record<string, ReactNode>) => {
    form.setErrors(errors)
    // after the fields have drawn their errors
    requestAnimationFrame(() => {
      for (const path of Object.keys(errors)) open(fieldAt(root.current, path))
      focusField(root.current, Object.keys(errors)[0])
    })
  }
  const { save, problem, isStale, isSaving, decide } = useSaving({
    assistant,
    onErrors: (found) => {
      const errors: Record<string, string> = {}
      for (const error of found.errors) errors[toFormField(error.field)] ??= problemText(t, error)
      showErrors(errors)
    },
    onSaved: (result, sent, activate) => {
      const theirs = toValues(result)
      const now = withLaterEdits(theirs, sent, form.getValues())
      const left = countChanges(theirs, now) > 0
      // what was typed since goes on where the new one is edited
      if (!assistant && left) {
        keepDraft<Kept>(queryClient, draftName(result.id), { values: now, version: result.version })
        notifications.show({ message: t('assistants:form.kept') })
      }
      reset(theirs, result.version, assistant ? now : theirs)
      onSaved(result, activate)
    },
  })

  /** What is missing keeps it from being activated, not from being saved: the server tells it. */
  function validated(values: AssistantValues) {
    const errors: Record<string, string> = {}
    if (values.budget_unit !== 'none' && !(Number(values.budget_amount) > 0)) errors.budget_amount = t('validation.budget')
    // without it, it would be one for networks
    if (values.writes_for === 'website' && !values.website_id) errors.website_id = t('assistants:form.websiteRequired')
    return errors
  }

  /** Activating raises the version too: as long as nothing else differs, it is still what this form began with. */
  const versionToSave = () => {
    if (!assistant) return null
    return countChanges(saved, toValues(assistant)) === 0 ? assistant.version : version
  }
  const submit = (event?: FormEvent<HTMLFormElement>, activate = false) =>
    form.onSubmit((values) => save(values, versionToSave(), activate), showErrors)(event)
  useEffect(() => {
    if (problem?.errors.length === 0) showNotice(root.current)
  }, [problem])

  /** Begins again from what the server has. `now`: with what was typed since. */
  const reset = (values: AssistantValues, of: number | null, now = values) => {
    draft.drop()
    setSaved(values)
    setVersion(of)
    form.setInitialValues(values)
    form.setValues(now)
    form.clearErrors()
  }
  const discard = () => reset(assistant ? toValues(assistant) : saved, assistant?.version ?? null)
  const takeTheirs = async () => {
    const theirs = await decide.theirs()
    if (theirs) reset(toValues(theirs), theirs.version)
  }

  return (
    <AssistantFormProvider form={form}>
      <form ref={root} onSubmit={(event) => submit(event)} noValidate className="assistant-form">
        {isStale && (
          <Banner
            tone="turn"
            title={t('assistants:form.staleTitle')}
            action={
              <span className="banner-actions">
                <Button size="xs" variant="default" loading={decide.isPending} onClick={() => void takeTheirs()}>
                  {t('assistants:form.takeTheirs')}
                </Button>
                <Button size="xs" color="saffron" disabled={decide.isPending} onClick={() => void decide.mine(form.values)}>
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
        )}
        {!isStale && <FormErrors {...problemWords()} fields={form.errors} />}
        {assistant && !assistant.active && assistant.missing.length > 0 && changes === 0 && (
          <div className="notyet">
            <strong>{t('assistants:form.missing')}</strong>
            <MissingList assistant={assistant} problems={assistant.missing} />
          </div>
        )}
        <FormSection title={t('assistants:form.writesFor')} hint={t('assistants:form.writesForHint')}>
          <WritesFor assistant={assistant} />
        </FormSection>
        <About choices={choices} assistant={assistant} />
        <FurtherSections choices={choices} assistant={assistant} imagesField={imagesField} onErrors={showErrors} />
        <SaveBar
          changes={changes}
          saving={isSaving || busy}
          onDiscard={discard}
          saveLabel={t('assistants:form.save')}
          isNew={!assistant}
          more={
            !assistant && looksComplete(form.values)
              ? { label: t('assistants:form.saveAndActivate'), onSave: () => submit(undefined, true) }
              : undefined
          }
        />
      </form>
    </AssistantFormProvider>
  )

  function problemWords() {
    if (!problem) return {}
    if (problem.errors.length > 0) return { message: t('assistants:form.saveErrors') }
    return {
      message: t(assistant ? 'assistants:configurationFailed' : 'assistants:saveFailed'),
      more: `${t('changesKept')} ${problemText(t, problem)}`,
    }
  }
}

interface FieldsProps {
  choices: Choices
  assistant: AssistantOut | null
}

function About({ choices, assistant }: FieldsProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const proposedName = (treeId: string | null) =>
    cutText(choices.topicTrees.find(({ id }) => id === treeId)?.name ?? '', LONGEST_NAME)
  return (
    <FormSection title={t('assistants:form.about')} hint={t('assistants:form.aboutHint')}>
      <div className="pair">
        <TextInput label={t('assistants:form.name')} maxLength={LONGEST_NAME} {...form.getInputProps('name')} />
        <TagsInput
          label={t('assistants:form.tags')}
          maxTags={20}
          clearable={false}
          {...form.getInputProps('tags')}
        />
      </div>
      <div className="pair">
        <div>
          <Select
            label={t('assistants:form.topicTree')}
            placeholder={t('assistants:form.topicTreePlaceholder')}
            data={choices.topicTrees.map(({ id, name, topic_count }) => ({
              value: id,
              label: t('assistants:form.topicTreeOption', { name, count: topic_count }),
            }))}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('clear') }}
            {...form.getInputProps('topic_tree_id')}
            onChange={(chosen: string | null) => {
              const { name, topic_tree_id } = form.getValues()
              form.setFieldValue('topic_tree_id', chosen)
              // as long as nobody gave another one, the name is the tree's
              const isProposed = name === '' || name === proposedName(topic_tree_id)
              if (!assistant && chosen && isProposed) form.setFieldValue('name', proposedName(chosen))
            }}
          />
          {choices.topicTrees.length === 0 && (
            <NoChoice text={t('assistants:form.noTopicTrees')} to={paths.topics} action={t('assistants:form.makeTopicTree')} />
          )}
        </div>
        <TemplateSelect
          field="template_version_id"
          label={t('assistants:form.template')}
          templates={choices.textTemplates}
          pinned={assistant?.template ?? null}
        />
      </div>
      <VariableFields templates={[...choices.textTemplates, ...choices.imageTemplates]} assistant={assistant} />
      <div className="pair">
        <Select
          label={t(`assistants:form.language.${writtenFor(form.values)}`)}
          allowDeselect={false}
          data={(['en', 'de'] as const).map((value) => ({ value, label: t(`languages.${value}`) }))}
          {...form.getInputProps('language')}
        />
      </div>
      <PickingFields options={choices.options} />
      {writtenFor(form.values) === 'post' && <EndingFields />}
    </FormSection>
  )
}

/** Which topic comes next. */
function PickingFields({ options }: { options: AssistantOptionsOut }) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { strategy, pick_from, no_repeat } = form.values
  const written = writtenFor(form.values)
  const within = no_repeat === '' ? options.no_repeat : no_repeat
  const says = [
    t(`assistants:form.strategies.${strategy}`),
    t(`assistants:form.picksFrom.${pick_from}`),
    t(`assistants:form.noRepeatSays.${written}`, { count: within }),
  ]
  const isUsual = strategy === 'least_recent' && pick_from === 'leaves' && within === options.no_repeat
  return (
    <FormMore title={t('assistants:form.picking')} says={says.join(' · ')} open={!isUsual}>
      <div className="pair">
        <Select
          label={t('assistants:form.strategy')}
          allowDeselect={false}
          data={(['least_recent', 'in_order', 'weighted_random'] as const).map((value) => ({
            value,
            label: t(`assistants:form.strategies.${value}`),
          }))}
          {...form.getInputProps('strategy')}
        />
        <Select
          label={t('assistants:form.pickFrom')}
          allowDeselect={false}
          data={(['leaves', 'all'] as const).map((value) => ({ value, label: t(`assistants:form.picksFrom.${value}`) }))}
          {...form.getInputProps('pick_from')}
        />
        <NumberInput
          label={t('assistants:form.noRepeat')}
          description={t(`assistants:form.noRepeatHint.${written}`, { count: options.no_repeat })}
          min={0}
          max={options.most_no_repeat}
          allowDecimal={false}
          placeholder={String(options.no_repeat)}
          startValue={options.no_repeat}
          {...form.getInputProps('no_repeat')}
        />
      </div>
    </FormMore>
  )
}

/** Unsaved changes, and the assistant's version that they were made on. */
interface Kept {
  values: AssistantValues
  version: number | null
}

export const draftName = (assistantId: string | null) => `assistant:${assistantId ?? 'new'}`

interface Saving {
  assistant: AssistantOut | null
  onErrors: (problem: Problem) => void
  /** `sent`: what the form held when it was handed in. */
  onSaved: (assistant: AssistantOut, sent: AssistantValues, activate: boolean) => void
}

function useSaving({ assistant, onErrors, onSaved }: Saving) {
  const { t } = useTranslation(['common', 'assistants'])
  const queryClient = useQueryClient()
  const create = useCreateAssistant()
  const update = useUpdateAssistant()
  const createOnce = useMutateOnce(create)
  const updateOnce = useMutateOnce(update)
  const [stale, setStale] = useState(false)
  const problem = create.error ?? update.error

  const save = (values: AssistantValues, version: number | null, activate = false) => {
    const onError = (found: Problem) => {
      setStale(found.code === 'stale_version')
      onErrors(found)
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
  /** As it is on the server now. Undefined where it could not be fetched: `decide.problem` says why. */
  const newest = () => fetched.mutateAsync().catch(() => undefined)
  return {
    save,
    problem,
    isStale: stale,
    isSaving: create.isPending || update.isPending,
    decide: {
      theirs: async () => {
        const theirs = await newest()
        if (!theirs) return undefined
        setStale(false)
        update.reset()
        return theirs
      },
      mine: async (values: AssistantValues) => {
        const theirs = await newest()
        if (theirs) save(values, theirs.version)
      },
      problem: fetched.error,
      isPending: fetched.isPending,
    },
  }
}

/** Brings the field into view that a link named. */
function useStart(root: RefObject<HTMLFormElement | null>, field: string | undefined) {
  useEffect(() => {
    if (field) focusField(root.current, field)
  }, [root, field])
}

/** What failed as a whole stands over the form, which is long: its save button may be far below. */
const showNotice = (root: HTMLElement | null) =>
  root?.querySelector('.banner, .form-errors')?.scrollIntoView({ block: 'center' })

function fieldAt(root: HTMLElement | null, path: string) {
  const name = CSS.escape(path)
  return root?.querySelector<HTMLElement>(`[data-path="${name}"], [data-field="${name}"]`) ?? null
}

/** What is folded away around a field. */
function open(field: HTMLElement | null) {
  const folded = field?.closest('details')
  if (folded) folded.open = true
}

/** Fields of Mantine's form carry their path; groups of several inputs name theirs on the group. */
function focusField(root: HTMLElement | null, path: string | undefined) {
  if (!root || !path) return
  const found = fieldAt(root, path)
  open(found)
  const input = found?.matches('input, textarea, button') ? found : found?.querySelector<HTMLElement>('input, textarea, button, a')
  input?.focus()
  found?.scrollIntoView({ block: 'center' })
}
