import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { TemplateOut, TemplateType, WritingOut } from '@/api/types.gen'
import { useTranslation } from '@/i18n/translation'
import { fieldErrors } from '@/lib/problems'
import { paths } from '@/lib/paths'
import { Link } from '@/lib/router/components'
import { isReserved, keyOf } from '@/lib/template-segments'
import { plannedAt, type Values } from './composer-values'
import { templatesQuery, topicsQuery, treesQuery, useWriting } from './use-writing'
import { WritingState } from './writing-state'

const LONGEST = 10_000 // characters that the server takes for one value
const TOPIC = 'Topic'
const CONTENT = 'Content'
const VOICE = 'Brand Voice'

interface TemplatePanelProps {
  type: TemplateType
  /** The post as it is being composed. */
  values: () => Values
  /** The post's id, once the server has it; nothing where that failed, which is shown. */
  stored: () => Promise<string | undefined>
  /** Whether something is on its way, and how far the text has come. */
  onShow: (busy: boolean, text: string | null) => void
  onMade: (made: WritingOut) => void
  onClose: () => void
}

/** Template, topic and values, and what the template then writes or draws. */
export default function TemplatePanel({ type, values, stored, onShow, onMade, onClose }: TemplatePanelProps) {
  const { t } = useTranslation()
  const image = type === 'image'
  const title = useId()
  const panel = useRef<HTMLElement>(null)
  const templates = useQuery(templatesQuery(type))
  const trees = useQuery(treesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const [treeId, setTreeId] = useState<string | null>(null)
  const [topicId, setTopicId] = useState<string | null>(null)
  const [inputs, setInputs] = useState<Record<string, string>>({})
  const [preparing, setPreparing] = useState(false)
  const topics = useQuery({ ...topicsQuery(treeId ?? ''), enabled: treeId !== null })
  const found = templates.data?.items ?? []
  const template = found.find(({ id }) => id === chosen) ?? (found.length === 1 ? found[0] : undefined)
  const writing = useWriting(onMade)
  const { atWork } = writing
  const call = image ? writing.draw : writing.write
  const errors = call.error ? fieldErrors(t, call.error) : {}
  const wordless = image && values().content.trim() === ''

  const coming = writing.writing
  useEffect(() => {
    onShow(atWork, coming?.text || null)
  }, [onShow, atWork, coming?.text])
  useEffect(() => {
    if (call.error) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [call.error])

  const set = (name: string, value: string) => {
    setInputs({ ...inputs, [name]: value })
    if (call.isError) call.reset()
  }

  async function start() {
    if (!template || atWork || preparing || wordless) return
    writing.reset()
    setPreparing(true)
    const postId = await stored().finally(() => setPreparing(false))
    if (!postId) return
    const post = values()
    const body = {
      template_id: template.id,
      topic_tree_id: topicId ? treeId : null,
      topic_id: topicId,
      inputs: Object.fromEntries(asked(template, image, topicId !== null).map((name) => [name, inputs[keyOf(name)] ?? ''])),
      language: post.language,
      time_zone: post.zone,
      planned_at: plannedAt(post)?.toISOString() ?? null,
      account_ids: post.account_ids,
    }
    if (image) writing.draw.mutate({ path: { post_id: postId }, body: { ...body, content: post.content } })
    else writing.write.mutate({ path: { post_id: postId }, body })
  }

  return (
    <section
      ref={panel}
      className="writing-panel"
      role="group"
      aria-labelledby={title}
      onKeyDown={(event) => onKey(event, () => void start(), atWork ? writing.stop : onClose)}
    >
      <h3 id={title}>{t(image ? 'writing.imageTitle' : 'writing.title')}</h3>
      <div className="writing-fields">
        <Select
          label={t('writing.template')}
          data={found.map(({ id, name }) => ({ value: id, label: name }))}
          value={template?.id ?? null}
          error={errors.template_id}
          onChange={(id) => {
            setChosen(id)
            call.reset()
          }}
          disabled={atWork}
          allowDeselect={false}
          searchable
          data-autofocus
          autoFocus
        />
        <Select
          label={t('writing.tree')}
          data={(trees.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={treeId}
          onChange={(id) => {
            setTreeId(id)
            setTopicId(null)
          }}
          disabled={atWork}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
        />
        {treeId && (
          <Select
            label={t('writing.topicFromTree')}
            data={(topics.data?.topics ?? []).map(({ id, title: name, depth }) => ({
              value: id,
              label: `${'– '.repeat(depth)}${name}`,
            }))}
            value={topicId}
            error={errors.topic_id}
            onChange={(id) => {
              setTopicId(id)
              call.reset()
            }}
            disabled={atWork}
            searchable
            clearable
            limit={100}
            clearButtonProps={{ 'aria-label': t('common.clear') }}
          />
        )}
        {template &&
          asked(template, image, topicId !== null).map((name) => {
            const optional = keyOf(name) === keyOf(VOICE)
            const shared = {
              label: optional ? t('writing.optional', { name }) : keyOf(name) === keyOf(TOPIC) ? t('writing.topic') : name,
              description: keyOf(name) === keyOf(TOPIC) ? t('writing.ownTopic') : undefined,
              value: inputs[keyOf(name)] ?? '',
              error: errors[`inputs.${name}`],
              maxLength: LONGEST,
              disabled: atWork,
            }
            return keyOf(name) === keyOf(CONTENT) ? (
              <Textarea
                key={name}
                {...shared}
                className="writing-wide"
                autosize
                minRows={2}
                maxRows={8}
                onChange={(event) => set(keyOf(name), event.currentTarget.value)}
              />
            ) : (
              <TextInput key={name} {...shared} onChange={(event) => set(keyOf(name), event.currentTarget.value)} />
            )
          })}
      </div>
      {templates.isSuccess && found.length === 0 && (
        <p className="field-note">
          {t(image ? 'writing.noImageTemplates' : 'writing.noTemplates')} <Link to={paths.templates}>{t('writing.makeTemplate')}</Link>
        </p>
      )}
      {wordless && <p className="field-note">{t('writing.noText')}</p>}
      <WritingState writing={writing} image={image} problem={unplaced(call.error, errors)} />
      {!atWork && (
        <Group gap="sm">
          <Button
            leftSection={<IconSparkles size={15} aria-hidden />}
            disabled={!template || wordless}
            loading={preparing}
            onClick={() => void start()}
          >
            {t(image ? 'writing.startImage' : 'writing.start')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
          <span className="writing-cost">{t(image && template?.settings.image?.engine === 'card' ? 'writing.cardFree' : 'writing.cost')}</span>
        </Group>
      )}
    </section>
  )
}

/** The variables that somebody has to give a value: the rest is the post's own. */
function asked({ variables }: TemplateOut, image: boolean, hasTopic: boolean): string[] {
  return variables.filter((name) => {
    const key = keyOf(name)
    if (key === keyOf(TOPIC)) return !hasTopic
    if (key === keyOf(CONTENT)) return !image
    return !isReserved(name) || key === keyOf(VOICE)
  })
}

/** What no field of the panel tells. */
function unplaced<Given extends { errors: { field: string }[] }>(problem: Given | null, errors: Record<string, string>) {
  if (!problem) return null
  const shown = (field: string) => field === 'template_id' || field === 'topic_id' || field.startsWith('inputs.')
  return Object.keys(errors).every(shown) && problem.errors.length > 0 ? null : problem
}

/** Enter starts, Escape stops or closes: the form around it, which schedules the post, hears of neither. */
function onKey(event: KeyboardEvent<HTMLElement>, start: () => void, leave: () => void) {
  const { target, key } = event
  if (!(target instanceof HTMLElement)) return
  const isList = target.getAttribute('aria-haspopup') === 'listbox'
  const isOpen = isList && target.getAttribute('aria-expanded') === 'true'
  if (key === 'Enter' && target instanceof HTMLInputElement) {
    const handled = event.defaultPrevented
    event.preventDefault()
    if (!handled && !isList) start()
  }
  if (key === 'Escape' && !isOpen) {
    event.stopPropagation()
    leave()
  }
}
