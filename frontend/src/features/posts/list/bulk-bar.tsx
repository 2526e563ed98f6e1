import { ActionIcon, Button, Modal, NumberInput, Progress, Textarea, Tooltip } from '@mantine/core'
import { IconBan, IconCalendarEvent, IconCheck, IconHelpHexagon, IconTags, IconTrash, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PostBulkInSchema } from '@/api/schemas.gen'
import type { PostOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { lazyPart } from '@/components/lazy-part'
import { TagInput } from '@/components/tag-input'
import { errorAt, fieldErrors } from '@/lib/problems'
import { postTagsQuery } from '@/features/posts/api'
import { mayCancel } from '@/features/posts/post-state'
import { isUnclear } from '@/features/posts/unclear'
import type { Bulk } from './use-bulk'

const SettleDialog = lazyPart(
  async () => (await import('./settle-dialog')).SettleDialog,
)

const { days: DAYS } = PostBulkInSchema.properties
const TOMORROW = 1 // days

interface BulkBarProps {
  posts: readonly PostOut[]
  /** The number of posts in the list. */
  shown: number
  bulk: Bulk
  onAll: () => void
  onClear: () => void
  onDelete: () => void
}

/** The actions for the selected posts, shown instead of the filters. */
export function BulkBar({ posts, shown, bulk, onAll, onClear, onDelete }: BulkBarProps) {
  const { t } = useTranslation(['common', 'posts'])
  const confirm = useConfirm()
  const [dialog, setDialog] = useState<'decline' | 'move' | 'tags' | 'settle' | null>(null)
  const [typed, setTyped] = useState(false)
  const close = () => {
    setDialog(null)
    setTyped(false)
  }
  const closeOptions = { closeOnEscape: !typed, closeOnClickOutside: !typed }
  const waitsForApproval = posts.some(({ approval }) => approval?.state === 'waiting')
  const cancel = async () => {
    const text = t('posts:bulk.cancelText')
    if (await confirm({ title: t('posts:bulk.cancelTitle', { count: posts.length }), text, action: t('posts:actions.cancel') }))
      await bulk.run({ action: 'cancel', posts })
  }
  const button = (label: string, icon: ReactNode, onClick: () => void, disabled = false) => (
    <Button size="xs" variant="default" leftSection={icon} disabled={disabled || bulk.pending} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <div className="filters selection" role="group" aria-label={t('posts:bulk.label')}>
      <Tooltip label={t('posts:bulk.none')}>
        <ActionIcon size={32} variant="subtle" color="gray" aria-label={t('posts:bulk.none')} onClick={onClear}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <b role="status">{t('posts:bulk.selected', { count: posts.length })}</b>
      {button(
        t('posts:approval.approve'),
        <IconCheck size={15} aria-hidden />,
        () => void bulk.run({ action: 'approve', posts }),
        !waitsForApproval,
      )}
      {button(t('posts:approval.decline'), <IconX size={15} aria-hidden />, () => setDialog('decline'), !waitsForApproval)}
      {button(
        t('posts:actions.move'),
        <IconCalendarEvent size={15} aria-hidden />,
        () => setDialog('move'),
        !posts.some((post) => post.planned_at !== null && (post.status === 'draft' || mayCancel(post))),
      )}
      {button(
        t('posts:actions.cancel'),
        <IconBan size={15} aria-hidden />,
        () => void cancel(),
        !posts.some(mayCancel),
      )}
      {button(t('posts:tags'), <IconTags size={15} aria-hidden />, () => setDialog('tags'))}
      {posts.some(isUnclear) &&
        button(t('posts:bulk.settle'), <IconHelpHexagon size={15} aria-hidden />, () => setDialog('settle'))}
      {button(t('posts:bulk.delete'), <IconTrash size={15} aria-hidden />, onDelete)}
      {posts.length < shown && (
        <Button size="xs" variant="subtle" onClick={onAll}>
          {t('posts:bulk.all', { count: shown })}
        </Button>
      )}
      {bulk.pending && (
        <Progress
          className="bulk-progress"
          value={(100 * bulk.progress) / posts.length}
          aria-label={t('posts:bulk.progress', { done: bulk.progress, count: posts.length })}
        />
      )}
      <Modal opened={dialog === 'decline'} onClose={close} {...closeOptions} title={t('posts:bulk.declineTitle', { count: posts.length })}>
        <DeclineForm posts={posts} bulk={bulk} onTyped={setTyped} onDone={close} />
      </Modal>
      <Modal opened={dialog === 'move'} onClose={close} {...closeOptions} title={t('posts:bulk.moveTitle', { count: posts.length })}>
        <MoveForm posts={posts} bulk={bulk} onTyped={setTyped} onDone={close} />
      </Modal>
      <Modal opened={dialog === 'tags'} onClose={close} {...closeOptions} title={t('posts:bulk.tagsTitle', { count: posts.length })}>
        <TagsForm posts={posts} bulk={bulk} onTyped={setTyped} onDone={close} />
      </Modal>
      <SettleDialog posts={posts} bulk={bulk} opened={dialog === 'settle'} onClose={close} />
    </div>
  )
}

interface FormProps {
  posts: readonly PostOut[]
  bulk: Bulk
  onTyped: (typed: boolean) => void
  onDone: () => void
}

function Form({ children, action, bulk, disabled, isHard = false, onSubmit, onDone }: {
  children: ReactNode
  action: string
  bulk: Bulk
  disabled?: boolean
  /** Whether the action can't be undone. */
  isHard?: boolean
  onSubmit: () => Promise<unknown>
  onDone: () => void
}) {
  const { t } = useTranslation()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await onSubmit()) onDone()
  }
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {children}
      <div className="dialog-foot">
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button type="submit" color={isHard ? 'red' : undefined} loading={bulk.pending} disabled={disabled}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function DeclineForm({ posts, bulk, onTyped, onDone }: FormProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [remark, setRemark] = useState('')
  return (
    <Form
      action={t('posts:bulk.decline', { count: posts.length })}
      isHard
      bulk={bulk}
      onSubmit={() => bulk.run({ action: 'decline', posts, remark })}
      onDone={onDone}
    >
      <Textarea
        label={t('posts:approval.reason')}
        value={remark}
        maxLength={PostBulkInSchema.properties.remark.maxLength}
        autosize
        minRows={2}
        data-autofocus
        onChange={(event) => {
          setRemark(event.currentTarget.value)
          onTyped(event.currentTarget.value !== '')
        }}
      />
    </Form>
  )
}

function MoveForm({ posts, bulk, onTyped, onDone }: FormProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [days, setDays] = useState<number | string>(TOMORROW)
  const by = typeof days === 'number' ? days : 0
  return (
    <Form
      action={t('posts:bulk.move', { count: posts.length })}
      bulk={bulk}
      disabled={by === 0}
      onSubmit={() => bulk.run({ action: 'move', posts, days: by })}
      onDone={onDone}
    >
      <NumberInput
        label={t('posts:bulk.days')}
        description={t('posts:bulk.daysHint')}
        value={days}
        min={DAYS.minimum}
        max={DAYS.maximum}
        allowDecimal={false}
        clampBehavior="strict"
        data-autofocus
        onChange={(next) => {
          setDays(next)
          onTyped(next !== TOMORROW)
        }}
      />
    </Form>
  )
}

function TagsForm({ posts, bulk, onTyped, onDone }: FormProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const knownTags = useQuery(postTagsQuery)
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const currentTags = [...new Set(posts.flatMap(({ tags }) => tags))]
  const errors = bulk.problem ? fieldErrors(t, bulk.problem) : {}
  return (
    <Form
      action={t('posts:bulk.saveTags')}
      bulk={bulk}
      disabled={add.length + remove.length === 0}
      onSubmit={() => bulk.run({ action: 'tag', posts, add, remove })}
      onDone={onDone}
    >
      <TagInput
        label={t('posts:bulk.addTags')}
        tags={knownTags.data}
        value={add}
        error={errorAt(errors, 'add')}
        onChange={(next) => {
          setAdd(next)
          onTyped(next.length + remove.length > 0)
        }}
        data-autofocus
      />
      {currentTags.length > 0 && (
        <TagInput
          label={t('posts:bulk.removeTags')}
          tags={currentTags.map((tag) => ({ tag, count: 1 }))}
          value={remove}
          error={errorAt(errors, 'remove')}
          onChange={(next) => {
            setRemove(next)
            onTyped(add.length + next.length > 0)
          }}
        />
      )}
    </Form>
  )
}
