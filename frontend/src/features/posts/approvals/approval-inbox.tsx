import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link, useNavigate } from 'react-router'
import type { AskedOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { ProblemText } from '@/components/problem-text'
import { RowSkeletons } from '@/components/skeletons'
import { Thumb } from '@/components/thumb'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { millisecondsUntil, useNow } from '@/lib/clock'
import { editPath } from '@/lib/edit-path'
import { approvalsPath, paths } from '@/lib/paths'
import { isMissing, type Problem } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { useIsMounted } from '@/lib/use-is-mounted'
import { ApprovalCard } from './approval-card'
import './approval-inbox.css'
import { approvalsQuery, postQuery } from '@/features/posts/api'
import { firstLine } from '@/features/posts/post-state'
import { useHeldDecision, type Decision } from './use-held-decision'
import { useWriteAgain } from '@/features/posts/write-again'

const DAY = 86_400_000 // ms
/** Whoever presses twice means the post that they saw. */
const SEEN_AFTER = 400 // ms

interface Refusal {
  decision: Decision
  problem: Problem
}

const millisecondsSince = (moment: number) => Date.now() - moment

const nameOf = ({ post }: AskedOut) => post.topic_title || firstLine(post.content)

/** A post as it is asked about: what was changed since is asked about anew. Two posts may have the same content. */
const questionOf = ({ post }: AskedOut) => `${post.id} ${post.content_hash}`

/** What waits for an answer, one post at a time. */
export function ApprovalInbox() {
  const { t } = useTranslation(['common', 'posts'])
  const navigate = useNavigate()
  const { filter, change } = useUrlFilters()
  const inbox = useQuery(approvalsQuery)
  const [answered, setAnswered] = useState<readonly string[]>([])
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const [declining, setDeclining] = useState(false)
  const region = useRef<HTMLDivElement>(null)
  const shownSince = useRef(0)
  const endOffer = useRef<() => void>(undefined)
  const isThere = useIsMounted()

  const items = inbox.data?.items
  const isLoaded = items !== undefined
  const waiting = items?.filter((asked) => !answered.includes(questionOf(asked))) ?? []
  const current = filter('post')
  const at = waiting.findIndex(({ post }) => post.id === current)
  const shown = waiting[at]
  // the address follows a moment later than the answer
  const isLeaving = items?.some(({ post }) => post.id === current) && !shown
  const other = waiting[at + 1] ?? waiting[at - 1]

  const showPost = (postId: string | null) => {
    setDeclining(false)
    change({ post: postId })
  }

  // what is shown stays until the person goes on: a list that changes must not put another post under their finger
  const first = waiting[0]?.post.id
  useEffect(() => {
    if (current === '' && first !== undefined) change({ post: first })
  }, [current, first, change])
  useEffect(() => {
    shownSince.current = Date.now()
    // its keys act where the focus is, and nowhere else
    if (current !== '' && (document.activeElement === document.body || document.activeElement === null))
      region.current?.focus({ preventScroll: true })
  }, [current, isLoaded])

  const back = ({ asked }: Decision) => setAnswered((all) => all.filter((question) => question !== questionOf(asked)))
  const { hold, takeBack, flush } = useHeldDecision({
    onSend: () => endOffer.current?.(),
    onSaved: (_, { confirmed }) => {
      if (!confirmed) notifications.show({ message: t('posts:inbox.later') })
    },
    onRefused: (decision, problem) => {
      if (!isThere()) {
        // whoever went on has read that it was approved
        notifications.show({ color: 'red', autoClose: false, message: <RefusalText decision={decision} problem={problem} /> })
        return
      }
      back(decision)
      setRefusals((all) => [...all.filter((other) => other.decision.asked.post.id !== decision.asked.post.id), { decision, problem }])
    },
  })

  const undo = () => {
    const decision = takeBack()
    if (!decision) return
    endOffer.current?.()
    back(decision)
    showPost(decision.asked.post.id)
    region.current?.focus({ preventScroll: true })
    notifications.show({ message: t('posts:inbox.undone') })
  }

  const decide = (approved: boolean, remark = '') => {
    if (!shown || millisecondsSince(shownSince.current) < SEEN_AFTER) return
    if (shown.post.approval && millisecondsSince(Date.parse(shown.post.approval.deadline_at)) >= 0) return
    endOffer.current?.()
    setAnswered((all) => [...all, questionOf(shown)])
    setRefusals((all) => all.filter(({ decision }) => decision.asked.post.id !== shown.post.id))
    const heldFor = hold({ asked: shown, approved, remark })
    if (heldFor > 0)
      endOffer.current = showUndo({
        message: t(approved ? 'posts:inbox.sending.approved' : 'posts:inbox.sending.declined', { post: nameOf(shown) }),
        label: t('posts:inbox.undo'),
        undo,
        offeredFor: heldFor,
      })
    showPost(other?.post.id ?? null)
    region.current?.focus({ preventScroll: true })
  }

  const edit = () => {
    if (shown) void navigate(editPath(shown.post))
  }

  const askAgain = useWriteAgain(() => showPost(other?.post.id ?? null))
  const writeAgain = () => {
    const deadline = shown?.post.approval?.deadline_at
    if (shown && deadline && millisecondsSince(Date.parse(deadline)) < 0) askAgain(shown.post)
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]')
    if (typing || event.repeat || event.altKey || event.shiftKey) return
    const key = event.key.toLowerCase()
    const deeds: Partial<Record<string, () => void>> =
      event.ctrlKey || event.metaKey ? { z: undo } : { a: () => decide(true), d: () => setDeclining(true), e: edit, w: writeAgain }
    const deed = deeds[key]
    if (!deed) return
    event.preventDefault()
    deed()
  }

  if (inbox.isPending) return <RowSkeletons rows={3} />
  if (inbox.isError && !items)
    return <Failure title={t('posts:inbox.loadFailed')} problem={inbox.error} onRetry={() => void inbox.refetch()} />
  const total = (inbox.data?.total ?? 0) - ((items?.length ?? 0) - waiting.length)
  const isGone = current !== '' && !shown && !isLeaving
  return (
    <div className="inbox-region" ref={region} tabIndex={-1} onKeyDown={onKeyDown}>
      {refusals.map((refusal) => (
        <RefusalNotice
          key={refusal.decision.asked.post.id}
          {...refusal}
          onClose={() => setRefusals((all) => all.filter((other) => other !== refusal))}
        />
      ))}
      {waiting.length === 0 && !isGone ? (
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
          <nav className="inbox-list" aria-label={t('posts:inbox.list')}>
            <ul className="plain-list">
              {waiting.map((asked) => (
                <InboxRow key={asked.post.id} asked={asked} isCurrent={asked === shown} />
              ))}
            </ul>
            <p className="listfoot">
              {total > waiting.length
                ? t('posts:inbox.more', { shown: waiting.length, count: total })
                : t('posts:inbox.all')}
            </p>
          </nav>
          <div className="inbox-post">
            {shown && (
              <>
                <Pager at={at} of={waiting} count={total} onShow={showPost} />
                <ApprovalCard
                  key={questionOf(shown)}
                  asked={shown}
                  isDeclining={declining}
                  onDeclining={(open) => {
                    setDeclining(open)
                    if (!open) region.current?.focus({ preventScroll: true })
                  }}
                  onDecide={decide}
                  onWriteAgain={writeAgain}
                  onNext={other ? () => showPost(other.post.id) : undefined}
                />
              </>
            )}
            {isGone && <Gone postId={current} onNext={() => (flush(), showPost(first ?? null))} />}
          </div>
        </div>
      )}
    </div>
  )
}

function InboxRow({ asked: { post, article }, isCurrent }: { asked: AskedOut; isCurrent: boolean }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const now = useNow()
  const deadline = post.approval?.deadline_at
  const left = deadline ? millisecondsUntil(deadline, now) : 0
  return (
    <li className="inbox-row" data-current={isCurrent || undefined}>
      <Thumb url={post.files[0]?.url} />
      <div className="two">
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

/** In place of the list, where there is no room for it. */
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

/** The server did not take an answer; the post, where it waits still, is back in the list. */
function RefusalNotice({ onClose, ...refusal }: Refusal & { onClose: () => void }) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <div className="inbox-notice" role="alert">
      <p className="grow">
        <RefusalText {...refusal} />
      </p>
      <ActionIcon variant="subtle" color="gray" aria-label={t('posts:inbox.dismiss')} onClick={onClose}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

function RefusalText({ decision: { asked }, problem }: Refusal) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <>
      <b>{t('posts:inbox.notSent', { post: nameOf(asked) })}</b> <ProblemText problem={problem} />{' '}
      <Link className="link" to={generatePath(paths.post, { socialMediaPostId: asked.post.id })}>
        {t('posts:inbox.open')}
      </Link>
    </>
  )
}

/** A post that a link names, or that was just shown, and that nobody is asked about any more. */
function Gone({ postId, onNext }: { postId: string; onNext: () => void }) {
  const { t } = useTranslation(['common', 'posts'])
  const { data: post, error, isPending, refetch } = useQuery(postQuery(postId))
  if (isPending) return <RowSkeletons rows={1} />
  if (error && !post && !isMissing(error))
    return <Failure title={t('posts:readFailed')} problem={error} onRetry={() => void refetch()} />
  const state = post?.approval?.by_deadline && post.approval.state === 'approved' ? 'published' : post?.approval?.state
  const why = !post ? 'missing' : !state || state === 'waiting' ? 'changed' : state
  return (
    <section className="panel inbox-gone" role="status">
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
