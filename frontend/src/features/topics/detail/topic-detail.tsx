import { Button, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { IconCornerDownRight, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TopicUpdateSchema } from '@/api/schemas.gen'
import { Facts } from '@/components/facts'
import { sentenceStart } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { hasChildren, pathText, pathTo, type TreeShape } from '@/features/topics/tree/tree-rows'
import { useKeptField } from '@/features/topics/tree/use-kept-field'
import type { TreeActions } from '@/features/topics/tree/use-tree-actions'

const FIELDS = TopicUpdateSchema.properties
const PAUSE = 1_200 // ms without a key
const WEIGHT = { min: FIELDS.weight.anyOf[0].minimum, max: FIELDS.weight.anyOf[0].maximum }

interface NewerNotesProps {
  /** As another tab has saved them. */
  notes: string
  onTake: () => void
  onKeep: () => void
}

/** Below the notes that are being typed: those of another tab, and which of the two count. */
function NewerNotes({ notes, onTake, onKeep }: NewerNotesProps) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <div className="newer-notes" role="alert">
      <p>{t('topics:newerNotes')}</p>
      <blockquote tabIndex={0} aria-label={t('topics:theirNotes')}>
        {notes || <span className="dim">{t('topics:noNotes')}</span>}
      </blockquote>
      <div className="topic-actions">
        <Button size="xs" variant="default" onClick={onTake}>
          {t('topics:takeNewer')}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t('topics:keepMine')}
        </Button>
      </div>
    </div>
  )
}

interface TopicDetailProps {
  topicKey: string
  shape: TreeShape
  at: number
  actions: TreeActions
  onAddChild: () => void
  onDelete: () => void
}

/** All of one topic; every field saves itself. */
export function TopicDetail({ topicKey, shape, at, actions, onAddChild, onDelete }: TopicDetailProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const format = useFormat()
  const topic = shape.topics[at]!
  const title = useKeptField({
    name: `topic-title:${topicKey}`,
    saved: topic.title,
    save: (text) => actions.save(topic.id, { title: text.trim() }),
    wrong: (text) => (text.trim() ? undefined : t('topics:titleMissing')),
  })
  const notes = useKeptField({
    name: `topic-notes:${topicKey}`,
    saved: topic.notes,
    pause: PAUSE,
    careful: true,
    save: (text, over) => actions.save(topic.id, { notes: text }, over),
  })
  const weight = useKeptField({
    name: `topic-weight:${topicKey}`,
    saved: String(topic.weight),
    pause: PAUSE,
    save: (text) => actions.save(topic.id, { weight: Number(text) }),
    wrong: (text) => {
      const value = Number(text)
      return Number.isInteger(value) && value >= WEIGHT.min && value <= WEIGHT.max
        ? undefined
        : t('topics:weightWrong', WEIGHT)
    },
  })
  const times = (count: number) => (count ? t('topics:timesUsed', { count }) : sentenceStart(t('topics:neverUsed')))
  const above = pathTo(shape, at).slice(0, -1)
  const disabledAbove = above.find((one) => !one.enabled)
  return (
    <div className="stack">
      <TextInput
        label={t('topics:titleOf')}
        maxLength={FIELDS.title.anyOf[0].maxLength}
        value={title.text}
        error={title.blocked ?? (title.problem && problemText(t, { ...title.problem, field: 'title' }))}
        onChange={(event) => title.change(event.currentTarget.value)}
        onBlur={title.flush}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) title.flush()
        }}
      />
      <Textarea
        label={`${t('topics:notes')} ${t('optional')}`}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={FIELDS.notes.anyOf[0].maxLength}
        value={notes.text}
        error={
          notes.newer === undefined && notes.problem && problemText(t, { ...notes.problem, field: 'notes' })
        }
        onChange={(event) => notes.change(event.currentTarget.value)}
        onBlur={notes.flush}
      />
      {notes.newer !== undefined && (
        <NewerNotes notes={notes.newer} onTake={notes.takeNewer} onKeep={notes.keepMine} />
      )}
      <div className="topic-weight">
        <NumberInput
          label={t('topics:weight')}
          description={t('topics:weightHint')}
          min={WEIGHT.min}
          max={WEIGHT.max}
          clampBehavior="none"
          allowDecimal={false}
          value={weight.text}
          error={weight.blocked ?? (weight.problem && problemText(t, weight.problem))}
          onChange={(value) => weight.change(String(value))}
          onBlur={weight.flush}
        />
        <Switch
          label={t('topics:enabled')}
          checked={topic.enabled}
          description={
            disabledAbove ? t('topics:disabledBy', { title: disabledAbove.title }) : undefined
          }
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
