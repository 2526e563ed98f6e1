import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { TopicFeedInSchema } from '@/api/schemas.gen'
import type { TopicFeedOut, TopicOut } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { FormModal } from '@/components/form-modal'
import { useFormProblem } from '@/components/use-form-problem'
import type { Topics } from '@/features/topics/tree/tree-edits'
import { useMutateOnce } from '@/lib/one-at-a-time'
import type { Problem } from '@/lib/problems'
import { useFeedMutations } from './api'
import { nameOf } from './feed-name'

const FIELDS = TopicFeedInSchema.properties
const MOST_SHOWN = 100 // topics in the list, which a search narrows down

interface Values {
  address: string
  topic_id: string | null
  daily: number | ''
  full_text: boolean
}

interface DialogProps {
  opened: boolean
  treeId: string
  topics: Topics
  onClose: () => void
}

/** The dialog that adds a feed. */
export function AddFeedDialog({ opened, treeId, topics, chosen, onClose }: DialogProps & { chosen: TopicOut | undefined }) {
  const { t } = useTranslation(['common', 'topicFeeds'])
  const { add } = useFeedMutations(treeId)
  const addOnce = useMutateOnce(add)
  return (
    <FormModal opened={opened} onClose={onClose} title={t('topicFeeds:addTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      {(close, onTyped) => (
        <FeedForm
          initial={{
            address: '',
            topic_id: branchOf(chosen),
            daily: FIELDS.daily.default,
            full_text: FIELDS.full_text.default,
          }}
          topics={topics}
          action={t('topicFeeds:add')}
          hint={t('topicFeeds:firstItems')}
          saving={add.isPending}
          onTyped={() => onTyped(true)}
          onClose={close}
          onSave={({ address, topic_id, ...values }, onError) =>
            addOnce(
              { path: { tree_id: treeId }, body: { ...values, address, topic_id } },
              {
                onSuccess: (feed) => {
                  notifications.show({ message: t('topicFeeds:isAdded', { name: nameOf(feed) }) })
                  close()
                },
                onError,
              },
            )
          }
        />
      )}
    </FormModal>
  )
}

/** The dialog that changes where a feed adds, how much, and what its topics' notes hold. */
export function EditFeedDialog({ opened, treeId, feed, topics, onClose }: DialogProps & { feed: TopicFeedOut }) {
  const { t } = useTranslation(['common', 'topicFeeds'])
  const { update } = useFeedMutations(treeId)
  const updateOnce = useMutateOnce(update)
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={t('topicFeeds:editTitle', { name: nameOf(feed) })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {(close, onTyped) => (
        <FeedForm
          initial={{
            address: feed.address,
            topic_id: topics.some(({ id }) => id === feed.topic_id) ? feed.topic_id : null,
            daily: feed.daily,
            full_text: feed.full_text,
          }}
          fixedAddress
          topics={topics}
          action={t('save')}
          saving={update.isPending}
          onTyped={() => onTyped(true)}
          onClose={close}
          onSave={({ topic_id, daily, full_text }, onError) =>
            updateOnce(
              { path: { tree_id: treeId, feed_id: feed.id }, body: { topic_id, daily, full_text } },
              { onSuccess: close, onError },
            )
          }
        />
      )}
    </FormModal>
  )
}

interface FeedFormProps {
  initial: Values
  /** The address is shown and cannot be changed. */
  fixedAddress?: boolean
  topics: Topics
  action: string
  hint?: string
  saving: boolean
  onTyped: () => void
  onSave: (values: { address: string; topic_id: string; daily: number; full_text: boolean }, onError: (problem: Problem) => void) => void
  onClose: () => void
}

function FeedForm({ initial, fixedAddress = false, topics, action, hint, saving, onTyped, onSave, onClose }: FeedFormProps) {
  const { t } = useTranslation(['common', 'topicFeeds'])
  const form = useForm<Values>({
    initialValues: initial,
    validate: {
      address: isNotEmpty(t('topicFeeds:addressMissing')),
      topic_id: isNotEmpty(t('topicFeeds:topicMissing')),
    },
    onValuesChange: onTyped,
  })
  const problem = useFormProblem(form, { topic_feed_known: 'address', not_found: 'topic_id' })
  const choices = useMemo(
    () => topics.filter(isSaved).map(({ id, title, depth }) => ({ value: id, label: `${'– '.repeat(depth)}${title}` })),
    [topics],
  )
  const submit = form.onSubmit(
    ({ address, topic_id, daily, full_text }) => {
      problem.clear()
      onSave({ address: address.trim(), topic_id: topic_id ?? '', daily: daily || FIELDS.daily.default, full_text }, problem.show)
    },
    problem.focusInvalid,
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={problem.message} />
      <TextInput
        type="url"
        inputMode="url"
        label={t('topicFeeds:address')}
        description={fixedAddress ? undefined : t('topicFeeds:addressHint')}
        placeholder="https://"
        autoComplete="off"
        maxLength={FIELDS.address.maxLength}
        readOnly={fixedAddress}
        data-autofocus={!fixedAddress || undefined}
        {...form.getInputProps('address')}
      />
      <Select
        label={t('topicFeeds:topic')}
        description={t('topicFeeds:topicHint')}
        data={choices}
        searchable
        limit={MOST_SHOWN}
        nothingFoundMessage={t('topicFeeds:noTopic')}
        {...form.getInputProps('topic_id')}
      />
      <NumberInput
        label={t('topicFeeds:daily')}
        description={t('topicFeeds:dailyHint')}
        min={FIELDS.daily.minimum}
        max={FIELDS.daily.maximum}
        clampBehavior="strict"
        allowDecimal={false}
        {...form.getInputProps('daily')}
      />
      <Switch
        label={t('topicFeeds:fullText')}
        description={t('topicFeeds:fullTextHint')}
        {...form.getInputProps('full_text', { type: 'checkbox' })}
      />
      {hint && <p className="field-note">{hint}</p>}
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={saving}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** Return the topic under which a feed adds if that one is chosen: itself, or for an item of a feed the topic above. */
function branchOf(chosen: TopicOut | undefined): string | null {
  if (!chosen || !isSaved(chosen)) return null
  return chosen.link ? chosen.parent_id : chosen.id
}

/** Return whether the server knows the topic: one that was just added has a provisional id. */
const isSaved = ({ id }: TopicOut) => !id.startsWith('new-')
