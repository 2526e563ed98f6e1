import { Button, SegmentedControl, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useDebouncedValue, useId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut, TemplateType } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { useConfirm } from '@/components/confirm'
import { FormErrors } from '@/components/form-errors'
import { PageHeader } from '@/components/page'
import { Panel } from '@/components/panel'
import { SaveBar } from '@/components/save-bar'
import { Tag } from '@/components/tag'
import { useKeptNotice } from '@/components/use-kept-notice'
import { isLanguage, languageNames, languages, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { paths } from '@/lib/paths'
import { fieldErrors, problemText, type Problem } from '@/lib/problems'
import { templateCheckQuery, templateQuery, useCreateTemplate, useDeleteTemplate, useUpdateTemplate } from './api'
import { BodyEditor, type BodyEditorHandle } from './body-editor'
import { indexOf, sameName, segmentsOf } from './segments'
import { TemplateErrors } from './template-errors'
import { TemplateInputs } from './template-inputs'

const CHECK_AFTER = 300 // ms without a key
const NEW = 'new'

interface Values {
  name: string
  type: TemplateType
  language: Language
  tags: string[]
  description: string
  body: string
}

interface Kept {
  values: Values
  /** The version that the values were typed over. */
  version: number
}

const valuesOf = ({ name, type, language, tags, description, body }: TemplateOut): Values => ({
  name,
  type,
  language,
  tags,
  description,
  body,
})

interface TemplateEditorProps {
  /** Nothing for a new one. */
  template?: TemplateOut
  onCreated: (templateId: string) => void
  onDeleted: () => void
}

export function TemplateEditor({ template, onCreated, onDeleted }: TemplateEditorProps) {
  const { t } = useTranslation()
  const interfaceLanguage = useLanguage()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const typeLabel = useId()
  const editor = useRef<BodyEditorHandle>(null)
  const draft = useDraft<Kept>(`template:${template?.id ?? NEW}`)
  const create = useCreateTemplate()
  const update = useUpdateTemplate()
  const remove = useDeleteTemplate()
  const [kept] = useState(draft.read)
  const [version, setVersion] = useState(kept?.version ?? template?.version ?? 0)
  const [message, setMessage] = useState<ReactNode>()
  const [stale, setStale] = useState<TemplateOut>()

  const [saved, setSaved] = useState<Values>(
    template
      ? valuesOf(template)
      : { name: '', type: 'text', language: interfaceLanguage, tags: [], description: '', body: '' },
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
  const changes = changesIn(values, saved)

  // saved elsewhere while nothing was typed here: the newer one is simply shown
  if (template && template.version > version && changes === 0) {
    setVersion(template.version)
    setSaved(valuesOf(template))
    form.setInitialValues(valuesOf(template))
    form.setValues(valuesOf(template))
  }

  useEffect(() => {
    if (changes > 0) draft.keep({ values, version })
    else draft.drop()
  }, [draft, changes, values, version])

  const [checkedBody] = useDebouncedValue(values.body, CHECK_AFTER)
  const check = useQuery(templateCheckQuery(values.type, checkedBody))
  useKeptNotice(changes > 0, t('templates.kept', { name: values.name || t('templates.unnamed') }))

  const show = (next: TemplateOut) => {
    draft.drop()
    setVersion(next.version)
    setSaved(valuesOf(next))
    setStale(undefined)
    setMessage(undefined)
    form.setInitialValues(valuesOf(next))
    form.setValues(valuesOf(next))
    form.clearErrors()
  }
  const focusFirst = (errors: Record<string, unknown>) => {
    if ('name' in errors) form.getInputNode('name')?.focus()
    else if ('body' in errors) editor.current?.focus()
  }
  const failed = async (problem: Problem) => {
    if (problem.code === 'stale_version' && template) {
      setStale(await queryClient.fetchQuery({ ...templateQuery(template.id), staleTime: 0 }))
      return
    }
    const errors = fieldErrors(t, problem)
    form.setErrors(errors)
    focusFirst(errors)
    setMessage(
      <>
        {t('templates.saveFailed')} {problem.errors.length === 0 && problemText(t, problem)}
      </>,
    )
  }
  const save = (body: Values) => {
    setMessage(undefined)
    if (template) {
      update.mutate(
        { path: { template_id: template.id }, body: { ...body, version } },
        {
          onSuccess: (next) => {
            show(next)
            notifications.show({ message: t('templates.saved', { number: next.version }) })
          },
          onError: (problem) => void failed(problem),
        },
      )
    } else {
      create.mutate(
        { body },
        {
          onSuccess: (next) => {
            draft.drop()
            onCreated(next.id)
          },
          onError: (problem) => void failed(problem),
        },
      )
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => form.onSubmit(save, focusFirst)(event)

  const discard = () => {
    draft.drop()
    setStale(undefined)
    setMessage(undefined)
    form.setValues(saved)
    form.clearErrors()
  }
  const askToDelete = async () => {
    if (!template) return
    const sure = await confirm({
      title: t('templates.deleteTitle', { name: template.name }),
      text: t('templates.deleteText'),
      action: t('templates.delete'),
      danger: true,
    })
    if (!sure) return
    remove.mutate(
      { path: { template_id: template.id } },
      {
        onSuccess: () => {
          draft.drop()
          notifications.show({ message: t('templates.deleted', { name: template.name }) })
          onDeleted()
        },
        onError: (problem) => setMessage(`${t('templates.deleteFailed')} ${problemText(t, problem)}`),
      },
    )
  }
  const showVariable = (name: string) => {
    let at = 0
    for (const segment of segmentsOf(values.body)) {
      if (segment.name && sameName(segment.name, name)) {
        editor.current?.select(at, at + segment.text.length)
        return
      }
      at += segment.text.length
    }
  }
  const goTo = (line: number, column: number) => {
    const at = indexOf(values.body, line, column)
    editor.current?.select(at, at + 2)
  }

  return (
    <form className="page-wide" onSubmit={submit} noValidate>
      <PageHeader
        crumbs={[{ label: t('templates.title'), to: paths.templates }]}
        title={template ? template.name : t('templates.newTitle')}
        badge={
          template && (
            <span className="tags">
              <Tag>{t(`templates.${template.type}`)}</Tag>
              <Tag>{t(`templates.${template.visibility}`)}</Tag>
              <Tag>
                <span className="num">{t('templates.version', { number: version })}</span>
              </Tag>
            </span>
          )
        }
        actions={
          template && (
            <Button
              variant="default"
              leftSection={<IconTrash size={15} aria-hidden />}
              loading={remove.isPending}
              onClick={() => void askToDelete()}
            >
              {t('templates.delete')}
            </Button>
          )
        }
      />
      <div className="notices">
        {stale && (
          <Banner
            tone="warn"
            title={t('templates.staleTitle', { number: stale.version })}
            action={
              <span className="banner-actions">
                <Button size="xs" variant="default" onClick={() => show(stale)}>
                  {t('templates.loadNewer', { number: stale.version })}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    setVersion(stale.version)
                    setStale(undefined)
                  }}
                >
                  {t('templates.keepMine')}
                </Button>
              </span>
            }
          >
            {t('templates.staleText')}
          </Banner>
        )}
        {message && <div className="form-errors" role="alert">{message}</div>}
        <FormErrors fields={form.errors} />
      </div>
      <div className="editor">
        <div className="stack">
          <BodyEditor
            ref={editor}
            value={values.body}
            onChange={(body) => form.setFieldValue('body', body)}
            onBlur={() => form.validateField('body')}
            // the syntax has its own list below
            error={check.data?.errors.length ? undefined : form.errors.body}
          >
            <TemplateErrors errors={check.data?.errors ?? []} onGoTo={goTo} />
          </BodyEditor>
        </div>
        <div className="stack">
          <Panel title={t('templates.details')}>
            <div className="stack">
              <TextInput label={t('templates.name')} maxLength={120} key={form.key('name')} {...form.getInputProps('name')} />
              <div className="field-pair">
                <div>
                  <div className="field-label" id={typeLabel}>
                    {t('templates.type')}
                  </div>
                  <SegmentedControl
                    fullWidth
                    aria-labelledby={typeLabel}
                    data={[
                      { value: 'text', label: t('templates.text') },
                      { value: 'image', label: t('templates.image') },
                    ]}
                    {...form.getInputProps('type')}
                  />
                </div>
                <Select
                  label={t('templates.language')}
                  allowDeselect={false}
                  data={languages.map((value) => ({ value, label: languageNames[value] }))}
                  value={values.language}
                  onChange={(value) => value && isLanguage(value) && form.setFieldValue('language', value)}
                />
              </div>
              <TagsInput
                label={`${t('templates.tags')} ${t('common.optional')}`}
                description={t('templates.addTag')}
                maxTags={20}
                {...form.getInputProps('tags')}
              />
              <Textarea
                label={`${t('templates.description')} ${t('common.optional')}`}
                autosize
                minRows={2}
                maxLength={2000}
                {...form.getInputProps('description')}
              />
            </div>
          </Panel>
          <TemplateInputs check={check.data} failed={check.isError} onShow={showVariable} />
        </div>
      </div>
      <SaveBar changes={changes} saving={create.isPending || update.isPending} onDiscard={discard} />
    </form>
  )
}

/** How many fields differ. */
function changesIn(values: Values, saved: Values): number {
  const fields = Object.keys(saved) as (keyof Values)[]
  return fields.filter((field) => JSON.stringify(values[field]) !== JSON.stringify(saved[field])).length
}
