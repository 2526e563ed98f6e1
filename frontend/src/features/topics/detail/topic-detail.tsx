import { ActionIcon, Button, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { IconCornerDownRight, IconExternalLink, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TopicUpdateSchema } from '@/api/schemas.gen'
import type { TopicOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { sentenceStart } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { addressOf } from '@/lib/post-link'
import { problemText } from '@/lib/problems'
import { hasChildren, pathText, pathTo, type TreeShape } from '@/features/topics/tree/tree-rows'
import { useAutosavedField } from '@/features/topics/tree/use-autosaved-field'
import type { TreeActions } from '@/features/topics/tree/use-tree-actions'

const FIELDS = TopicUpdateSchema.properties
const PAUSE = 1_200 // ms without a keystroke before a field is saved
const WEIGHT = { min: FIELDS.weight.anyOf[0].minimum, max: FIELDS.weight.anyOf[0].maximum }

interface TopicDetailProps {
  topicKey: string
  shape: TreeShape
  at: number
  actions: TreeActions
  onAddChild: () => void
  onDelete: () => void
}

/** The fields of a topic; each is saved automatically. */
export function TopicDetail({ topicKey, shape, at, actions, onAddChild, onDelete }: TopicDetailProps) {
  const { t } = useTranslation(['common', 'topics'])
  const format = useFormat()
  const topic = shape.topics[at]!
  const times = (count: number) => (count ? t('topics:timesUsed', { count }) : sentenceStart(t('topics:neverUsed')))
  const above = pathTo(shape, at).slice(0, -1)
  const disabledAbove = above.find((parent) => !parent.enabled)
  const field = { topicKey, topic, actions }
  return (
    <div className="stack">
      <TitleField {...field} />
      <NotesField {...field} />
      <LinkField {...field} />
      <div className="topic-weight">
        <WeightField {...field} />
        <Switch
          label={t('topics:enabled')}
          checked={topic.enabled}
          description={disabledAbove ? t('topics:disabledBy', { title: disabledAbove.title }) : undefined}
          onChange={(event) => actions.change(topic.id, { enabled: event.currentTarget.checked })}
        />
      </div>
      <Facts
        facts={[
          [t('topics:path'), above.length > 0 && pathText(above)],
          [t('topics:used'), times(topic.times_used)],
          [t('topics:usedWithin'), hasChildren(shape, at) && times(shape.usedWithin[at] ?? 0)],
          [t('topics:lastUsed'), topic.last_used_at && format.dayAndTime(topic.last_used_at)],
        ]}
      />
      <div className="topic-actions">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCornerDownRight size={15} aria-hidden />}
          onClick={onAddChild}
        >
          {t('topics:act.child')}
        </Button>
        {topic.parent_id !== null && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={onDelete}
          >
            {t('topics:act.remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface FieldProps {
  topicKey: string
  topic: TopicOut
  actions: TreeActions
}

function TitleField({ topicKey, topic, actions }: FieldProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { text, change, flush, blocked, problem } = useAutosavedField({
    draftName: `topic-title:${topicKey}`,
    saved: topic.title,
    save: (title) => actions.save(topic.id, { title: title.trim() }),
    validate: (title) => (title.trim() ? undefined : t('topics:titleMissing')),
  })
  return (
    <TextInput
      label={t('topics:titleOf')}
      maxLength={FIELDS.title.anyOf[0].maxLength}
      value={text}
      error={blocked ?? (problem && problemText(t, { ...problem, field: 'title' }))}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) flush()
      }}
    />
  )
}

/** The notes. If another tab saves other notes meanwhile, the user chooses. */
function NotesField({ topicKey, topic, actions }: FieldProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { text, change, flush, problem, newer, takeNewer, keepMine } = useAutosavedField({
    draftName: `topic-notes:${topicKey}`,
    saved: topic.notes,
    pause: PAUSE,
    asksToOverwrite: true,
    save: (notes, base) => actions.save(topic.id, { notes }, base),
  })
  return (
    <>
      <Textarea
        label={`${t('topics:notes')} ${t('optional')}`}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={FIELDS.notes.anyOf[0].maxLength}
        value={text}
        error={newer === undefined && problem && problemText(t, { ...problem, field: 'notes' })}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={flush}
      />
      {newer !== undefined && (
        <div className="newer-notes" role="alert">
          <p>{t('topics:newerNotes')}</p>
          <blockquote tabIndex={0} aria-label={t('topics:theirNotes')}>
            {newer || <span className="dim">{t('topics:noNotes')}</span>}
          </blockquote>
          <div className="topic-actions">
            <Button size="xs" variant="default" onClick={takeNewer}>
              {t('topics:takeNewer')}
            </Button>
            <Button size="xs" variant="default" onClick={keepMine}>
              {t('topics:keepMine')}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}

/** The page that the topic is about, with a button that opens it. */
function LinkField({ topicKey, topic, actions }: FieldProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { text, change, flush, blocked, problem } = useAutosavedField({
    draftName: `topic-link:${topicKey}`,
    saved: topic.link,
    save: (link) => actions.save(topic.id, { link: withScheme(link) }),
    validate: (link) => (link.trim() === '' || addressOf(link) ? undefined : t('errors:link_not_usable')),
  })
  return (
    <TextInput
      type="url"
      inputMode="url"
      label={`${t('topics:link')} ${t('optional')}`}
      description={t('topics:linkHint')}
      placeholder="https://"
      autoComplete="off"
      maxLength={FIELDS.link.anyOf[0].maxLength}
      value={text}
      error={blocked ?? (problem && problemText(t, { ...problem, field: 'link' }))}
      rightSection={
        topic.link !== '' && (
          <ActionIcon
            component="a"
            href={topic.link}
            target="_blank"
            rel="noreferrer"
            variant="subtle"
            color="gray"
            aria-label={t('topics:openLink')}
          >
            <IconExternalLink size={16} aria-hidden />
          </ActionIcon>
        )
      }
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) flush()
      }}
    />
  )
}

/** Return the address with a scheme, as the server keeps it. */
function withScheme(typed: string): string {
  const address = typed.trim()
  return address === '' || address.includes('://') ? address : `https://${address}`
}

function WeightField({ topicKey, topic, actions }: FieldProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { text, change, flush, blocked, problem } = useAutosavedField({
    draftName: `topic-weight:${topicKey}`,
    saved: String(topic.weight),
    pause: PAUSE,
    save: (weight) => actions.save(topic.id, { weight: Number(weight) }),
    validate: (weight) => (isWeight(Number(weight)) ? undefined : t('topics:weightWrong', WEIGHT)),
  })
  return (
    <NumberInput
      label={t('topics:weight')}
      description={t('topics:weightHint')}
      min={WEIGHT.min}
      max={WEIGHT.max}
      clampBehavior="none"
      allowDecimal={false}
      value={text}
      error={blocked ?? (problem && problemText(t, problem))}
      onChange={(value) => change(String(value))}
      onBlur={flush}
    />
  )
}

const isWeight = (value: number) => Number.isInteger(value) && value >= WEIGHT.min && value <= WEIGHT.max
