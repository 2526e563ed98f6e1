import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link, useNavigate } from 'react-router'
import type { AskedOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { Thumb } from '@/components/thumb'
import { postQuery } from '@/features/posts/api'
import { firstLine } from '@/features/posts/post-state'
import { useFormat } from '@/i18n/use-format'
import { millisecondsUntil, useNow } from '@/lib/clock'
import { editPath } from '@/lib/edit-path'
import { approvalsPath, paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'
import { ApprovalCard } from './approval-card'
import './approval-inbox.css'
import { RefusalNotice } from './refusal-notice'
import { questionOf, useApprovalInbox } from './use-approval-inbox'

const DAY = 86_400_000 // ms

/** The posts that wait for approval, one at a time. */
export function ApprovalInbox() {
  const { t } = useTranslation(['common', 'posts'])
  const navigate = useNavigate()
  const region = useRef<HTMLDivElement>(null)
  const approvals = useApprovalInbox(region)
  const { inbox, waiting, total, shown, at, goneId, refusals, dismiss, declining, setDeclining } = approvals
  const { decide, undo, writeAgain, showPost, showNext, showFirst } = approvals

  const edit = () => {
    if (shown) void navigate(editPath(shown.post))
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]')
    if (typing || event.repeat || event.altKey || event.shiftKey) return
    const key = event.key.toLowerCase()
    const commands: Partial<Record<string, () => void>> =
      event.ctrlKey || event.metaKey ? { z: undo } : { a: () => decide(true), d: () => setDeclining(true), e: edit, w: writeAgain }
    const command = commands[key]
    if (!command) return
    event.preventDefault()
    command()
  }

  if (inbox.isPending) return <RowSkeletons rows={3} />
  if (inbox.isError && !inbox.data)
    return <Failure title={t('posts:inbox.loadFailed')} problem={inbox.error} onRetry={() => void inbox.refetch()} />
  return (
    <div className="inbox-region" ref={region} tabIndex={-1} onKeyDown={onKeyDown}>
      {refusals.map((refusal) => (
        <RefusalNotice
          key={refusal.decision.question.post.id}
          {...refusal}
          onClose={() => dismiss(refusal)}
        />
      ))}
      {waiting.length === 0 && goneId === undefined ? (
        <EmptyState
          title={t('posts:inbox.emptyTitle')}
          text={t('posts:inbox.emptyText')}
          actions={
            <Button component={Link} to={paths.assistants} variant="default">
              {t('posts:toAssistants')}
            </Button>
          }
        />
      ) : (
        <div className="inbox">
          <InboxList waiting={waiting} total={total} shown={shown} />
          <div className="inbox-post">
            {shown && (
              <>
                <Pager at={at} of={waiting} count={total} onShow={showPost} />
                <ApprovalCard
                  key={questionOf(shown)}
                  question={shown}
                  isDeclining={declining}
                  onDeclining={(open) => {
                    setDeclining(open)
                    if (!open) region.current?.focus({ preventScroll: true })
                  }}
                  onDecide={decide}
                  onWriteAgain={writeAgain}
                  onNext={showNext}
                />
              </>
            )}
            {goneId !== undefined && <NotWaiting postId={goneId} onNext={showFirst} />}
          </div>
        </div>
      )}
    </div>
  )
}

interface InboxListProps {
  waiting: readonly AskedOut[]
  total: number
  shown: AskedOut | undefined
}

function InboxList({ waiting, total, shown }: InboxListProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <nav className="inbox-list" aria-label={t('posts:inbox.list')}>
      <ul className="plain-list">
        {waiting.map((question) => (
          <InboxRow key={question.post.id} question={question} isCurrent={question === shown} />
        ))}
      </ul>
      <p className="listfoot">
        {total > waiting.length ? t('posts:inbox.more', { shown: waiting.length, count: total }) : t('posts:inbox.all')}
      </p>
    </nav>
  )
}

function InboxRow({ question: { post, article }, isCurrent }: { question: AskedOut; isCurrent: boolean }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const now = useNow()
  const deadline = post.approval?.deadline_at
  const left = deadline ? millisecondsUntil(deadline, now) : 0
  return (
    <li className="inbox-row" data-current={isCurrent || undefined}>
      <Thumb file={post.files[0]} />
      <div className="two-lines">
        <Link
          className="rowlink clip-2"
          to={`${approvalsPath}&post=${post.id}`}
          replace
          aria-current={isCurrent ? 'true' : undefined}
        >
          {article?.title || firstLine(post.content) || post.topic_title}
        </Link>
        <small>{[post.assistant_name, article?.website].filter(Boolean).join(' · ')}</small>
        <small className="factline">
          <ChannelIcons channels={post.deliveries.map((delivery) => delivery.channel)} />
          {deadline && (
            <time dateTime={deadline}>
              {left <= 0
                ? t('posts:inbox.over')
                : left < DAY
                  ? t('posts:approval.left', { time: format.duration(left) })
                  : t('posts:inbox.until', { when: format.dayAndTime(deadline, now) })}
            </time>
          )}
        </small>
      </div>
    </li>
  )
}

interface PagerProps {
  at: number
  of: readonly AskedOut[]
  count: number
  onShow: (postId: string) => void
}

/** The pager that replaces the list on a narrow screen. */
function Pager({ at, of, count, onShow }: PagerProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [before, next] = [of[at - 1], of[at + 1]]
  return (
    <div className="inbox-pager">
      <Tooltip label={t('posts:inbox.before')}>
        <ActionIcon variant="default" aria-label={t('posts:inbox.before')} disabled={!before} onClick={() => before && onShow(before.post.id)}>
          <IconChevronLeft size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <span className="num">{t('posts:inbox.position', { number: at + 1, count })}</span>
      <Tooltip label={t('posts:inbox.next')}>
        <ActionIcon variant="default" aria-label={t('posts:inbox.next')} disabled={!next} onClick={() => next && onShow(next.post.id)}>
          <IconChevronRight size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** Says why a post from a link, or one that was just shown, does not wait for approval any more. */
function NotWaiting({ postId, onNext }: { postId: string; onNext: () => void }) {
  const { t } = useTranslation(['common', 'posts'])
  const { data: post, error, isPending, refetch } = useQuery(postQuery(postId))
  if (isPending) return <RowSkeletons rows={1} />
  if (error && !post && !isMissing(error))
    return <Failure title={t('posts:readFailed')} problem={error} onRetry={() => void refetch()} />
  const state = post?.approval?.by_deadline && post.approval.state === 'approved' ? 'published' : post?.approval?.state
  const why = !post ? 'missing' : !state || state === 'waiting' ? 'changed' : state
  return (
    <section className="panel inbox-closed" role="status">
      <h2 className="panel-title">{t('posts:inbox.gone.title')}</h2>
      <p>{t(`posts:inbox.gone.${why}`)}</p>
      <div className="delivery-answers">
        <Button size="xs" onClick={onNext}>
          {t('posts:inbox.next')}
        </Button>
        {post && (
          <Button size="xs" variant="default" component={Link} to={generatePath(paths.post, { socialMediaPostId: postId })}>
            {t('posts:inbox.open')}
          </Button>
        )}
      </div>
    </section>
  )
}
