import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBan, IconCalendarEvent, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostChangeOut, PostOut } from '@/api/types.gen'
import { Acknowledge } from '@/components/acknowledge'
import { ApprovalQuestion } from '@/components/approval-question'
import { useConfirm } from '@/components/confirm'
import { hasOpenDeliveries } from '@/components/delivery-status'
import { Panel } from '@/components/panel'
import { ProblemText, withRemedy } from '@/components/problem-text'
import { isGoingOut, waitsForAnswer } from '@/components/post-status'
import { ReasonText } from '@/components/reason-text'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { shortCountdown, timeToOffer, millisecondsUntil, useNow } from '@/lib/clock'
import { openDialog } from '@/lib/dialogs'
import { keepFocus } from '@/lib/keep-focus'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, type Problem } from '@/lib/problems'
import { useMovePost, usePublishPost } from '@/lib/refetch-posts'
import { instantOf, timeInsteadOf, wallTime } from '@/lib/time-zones'
import { accountsQuery, useCancelPost, useRetryPost } from '@/features/posts/api'
import { firstLine, isArmed, mayCancel, mayPublish, mayRetry, needsLogin } from '@/features/posts/post-state'
import { useWriteAgain } from '@/features/posts/write-again'
import { contentKindOf } from '@/lib/content-kind'

interface PostActionsProps {
  post: PostOut
  /** The website of the article is not connected. */
  isSiteAway?: boolean
}

/** What a person can do with a post: approve, move, cancel, publish or retry it. */
export function PostActions({ post, isSiteAway = false }: PostActionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const writeAgain = useWriteAgain()
  const plannedApproval = post.approval?.state === 'waiting' && post.planned_at
  return (
    <>
      {plannedApproval && post.approval && post.planned_at && (
        <Panel title={t('posts:approval.title')}>
          <ApprovalQuestion
            postId={post.id}
            name={post.topic_title || firstLine(post.content)}
            contentHash={post.content_hash}
            approval={post.approval}
            plannedAt={post.planned_at}
          >
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              aria-label={t('posts:again.actionOf', { post: post.topic_title || firstLine(post.content) })}
              onClick={() => writeAgain(post)}
            >
              {t('posts:again.action')}
            </Button>
          </ApprovalQuestion>
          {post.approval.rewrite_error && (
            <p role="status">
              {t('posts:again.failed')} <ReasonText code={post.approval.rewrite_error} written={contentKindOf(post)} />
            </p>
          )}
        </Panel>
      )}
      <Decided post={post}>{isArmed(post) ? <GoingOut post={post} /> : <Buttons post={post} isSiteAway={isSiteAway} />}</Decided>
    </>
  )
}

/** Says how the approval ended, above the actions. A post whose deadline passed without an answer still asks for one. */
function Decided({ post, children }: { post: PostOut; children: ReactNode }) {
  const { t } = useTranslation(['common', 'posts'])
  const { approval } = post
  const format = useFormat()
  if (!approval || approval.state === 'waiting') return children
  const when = format.atMoment(approval.decided_at ?? approval.deadline_at)
  const deadline = format.momentInSentence(approval.decided_at ?? approval.deadline_at)
  if (waitsForAnswer(post)) {
    return (
      <Panel title={t('posts:approval.title')}>
        <div className="approval">
          <p>{text()}</p>
          <div className="post-actions approval-why">
            {children}
            <Acknowledge postId={post.id} name={post.topic_title || firstLine(post.content)} />
          </div>
        </div>
      </Panel>
    )
  }
  return (
    <>
      <p className="fine-print">{text()}</p>
      {children}
    </>
  )

  function text() {
    switch (approval?.state) {
      case 'approved':
        return t(approval.by_deadline ? 'posts:approval.approvedByDeadline' : 'posts:approval.approved', { when, deadline })
      case 'declined':
        if (approval.remark) return t('posts:approval.declinedFor', { when, remark: approval.remark })
        return t('posts:approval.declined', { when })
      case 'rewritten':
        return t('posts:again.writing', { remark: approval.remark })
      case 'expired':
        return t(waitsForAnswer(post) ? 'posts:approval.expiredKept' : 'posts:approval.expired', { deadline })
      default:
        return t('posts:approval.withdrawn')
    }
  }
}

function GoingOut({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const now = useNow()
  const left = post.planned_at ? millisecondsUntil(post.planned_at, now) : 0
  // the badge says that the post is being published
  if (left <= 0 && post.deliveries.some(({ state }) => state === 'publishing')) return null
  return (
    <p className="fine-print" role="status">
      {left > 0 ? t('posts:actions.goingOut', { time: shortCountdown(left) }) : t('posts:maybeOut')}
    </p>
  )
}

function Buttons({ post, isSiteAway = false }: PostActionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const group = useRef<HTMLDivElement>(null)
  const commands = usePostCommands(post, isSiteAway, group)
  if (![mayCancel, mayPublish, mayRetry].some((may) => may(post))) return null
  return (
    <div className="post-actions" role="group" ref={group} tabIndex={-1} aria-label={t('posts:actions.label')}>
      {mayCancel(post) && <ScheduledButtons post={post} commands={commands} />}
      {mayPublish(post) && <PublishButtons post={post} commands={commands} />}
      {mayRetry(post) && <RetryButton post={post} commands={commands} />}
    </div>
  )
}

interface ButtonsProps {
  post: PostOut
  commands: ReturnType<typeof usePostCommands>
}

/** Moves, publishes or cancels a scheduled post; one whose time has come can only be cancelled. */
function ScheduledButtons({ post, commands }: ButtonsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const goingOut = isGoingOut(post, useNow())
  const { pending } = commands
  return (
    <>
      {!goingOut && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCalendarEvent size={14} aria-hidden />}
          disabled={commands.isChanging}
          onClick={() => commands.chooseTime('move')}
        >
          {t('posts:actions.move')}
        </Button>
      )}
      {!goingOut && !waitsForAnswer(post) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSend size={14} aria-hidden />}
          loading={pending.move}
          disabled={commands.isChanging}
          onClick={() => void commands.publishEarlier()}
        >
          {t('posts:actions.publish')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconBan size={14} aria-hidden />}
        loading={pending.cancel}
        disabled={commands.isChanging}
        onClick={() => void commands.cancel()}
      >
        {t('posts:actions.cancel')}
      </Button>
    </>
  )
}

/** Publishes or schedules a post that is not scheduled. */
function PublishButtons({ post, commands }: ButtonsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { pending } = commands
  return (
    <>
      <Button
        size="xs"
        // without an account nothing can be published
        variant={post.account_ids.length === 0 && post.deliveries.length === 0 ? 'default' : 'filled'}
        leftSection={<IconSend size={14} aria-hidden />}
        loading={pending.publish}
        disabled={commands.isChanging}
        onClick={() => void commands.publishNow()}
      >
        {t('posts:actions.publish')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCalendarEvent size={14} aria-hidden />}
        disabled={commands.isChanging}
        onClick={() => commands.chooseTime('publish')}
      >
        {t('posts:actions.schedule')}
      </Button>
    </>
  )
}

function RetryButton({ post, commands }: ButtonsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { pending } = commands
  return (
    <Button
      size="xs"
      // the account has to be connected first
      variant={post.deliveries.some((delivery) => delivery.state === 'failed' && needsLogin(delivery)) ? 'default' : 'filled'}
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={pending.retry}
      disabled={commands.isChanging}
      onClick={commands.retry}
    >
      {t('posts:actions.retry')}
    </Button>
  )
}

/** Return the commands that change when a post goes out. After a change, `group` has the focus if its button is gone. */
function usePostCommands(post: PostOut, isSiteAway: boolean, group: RefObject<HTMLElement | null>) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const zone = useTimeZone()
  const confirm = useConfirm()
  const confirmPublishing = useConfirmPublishing(post, isSiteAway)
  const cancelling = useCancelPost()
  const publishing = usePublishPost()
  const moving = useMovePost()
  const retrying = useRetryPost()
  const retryOnce = useMutateOnce(retrying)
  const notices = useChangeNotices()
  const { version } = post
  const path = { post_id: post.id }
  const pending = {
    cancel: cancelling.isPending,
    publish: publishing.isPending,
    move: moving.isPending,
    retry: retrying.isPending,
  }
  // the pressed button may be gone after a change; only a dialog gives the focus back by itself
  const movesFocus = useRef(false)
  const isChanging = Object.values(pending).some(Boolean)
  useEffect(() => {
    if (movesFocus.current) keepFocus(() => group.current)
    movesFocus.current &&= isChanging
  }, [group, version, isChanging])
  return {
    cancel,
    publishNow,
    publishEarlier,
    retry: () => {
      movesFocus.current = true
      retryOnce({ path, body: {} }, notices(retried))
    },
    chooseTime,
    pending,
    /** While one change is on its way, no other may begin: this version of the post is about to be an old one. */
    isChanging,
  }

  function retried(changed: PostChangeOut) {
    const at = changed.post.planned_at
    // other channels may still wait for the post's time
    const waits = at && hasOpenDeliveries(post) && millisecondsUntil(at, new Date()) > 0
    return waits ? t('posts:actions.retriedAtTime', { when: format.atMoment(at) }) : t('posts:actions.retried')
  }

  async function cancel() {
    const sure = await confirm({
      title: t(`posts:actions.cancelTitle.${contentKindOf(post)}`),
      text: t(isPartlyOut(post) ? 'posts:actions.cancelRestText' : 'posts:actions.cancelText'),
      action: t('posts:actions.cancel'),
    })
    if (!sure) return
    movesFocus.current = true
    cancelling.mutate({ path, body: { version } }, notices(() => t('posts:actions.cancelled')))
  }

  async function publishNow() {
    if (!(await confirmPublishing())) return
    movesFocus.current = true
    publishing.mutate({ path, body: { version } }, notices(() => t('posts:actions.published')))
  }

  /** Publish a scheduled post now. */
  async function publishEarlier() {
    if (!(await confirmPublishing())) return
    movesFocus.current = true
    moving.mutate({ path, body: { version, planned_at: null } }, notices(() => t('posts:actions.published')))
  }

  function chooseTime(kind: 'move' | 'publish') {
    openDialog((close, isTyped) => ({
      title: t('posts:actions.moveTitle'),
      children: (
        <ChooseTime
          post={post}
          kind={kind}
          zone={zone}
          shown={format.atMoment}
          onTyped={isTyped}
          onDone={() => {
            close()
            keepFocus(() => group.current)
          }}
        />
      ),
    }))
  }
}

const isPartlyOut = (post: PostOut) => post.deliveries.some(({ state }) => state === 'published')

/** Return what asks whether a post shall be published, and names the accounts that are not connected. */
function useConfirmPublishing(post: PostOut, isSiteAway: boolean) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const accounts = useQuery(accountsQuery)
  const confirm = useConfirm()
  return () => {
    const out = post.deliveries.filter(({ state }) => state === 'published').map(({ account_id }) => account_id)
    const away = (accounts.data ?? []).filter(
      ({ id, state }) => state !== 'connected' && post.account_ids.includes(id) && !out.includes(id),
    )
    const names = format.list(away.map(({ name }) => name))
    return confirm({
      title: t(`posts:actions.publishTitle.${contentKindOf(post)}`),
      text: [
        t(isPartlyOut(post) ? 'posts:actions.publishRestText' : `posts:actions.publishText.${contentKindOf(post)}`),
        away.length > 0 && t('posts:actions.publishHeld', { names, count: away.length }),
        isSiteAway && t('posts:actions.publishHeldSite'),
      ]
        .filter(Boolean)
        .join(' '),
      action: t('posts:actions.publish'),
    })
  }
}

interface ChooseTimeProps {
  post: PostOut
  kind: 'move' | 'publish'
  /** The time zone of the input: a dialog is drawn outside of the context that has it. */
  zone: string
  shown: (moment: string) => string
  onTyped: (typed: boolean) => void
  onDone: () => void
}

function ChooseTime({ post, kind, zone, shown, onTyped, onDone }: ChooseTimeProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const move = useMovePost()
  const publish = usePublishPost()
  const change = kind === 'move' ? move : publish
  const moveOnce = useMutateOnce(move)
  const publishOnce = useMutateOnce(publish)
  const changeOnce = kind === 'move' ? moveOnce : publishOnce
  const now = new Date()
  const [offered] = useState(() => wallTime(timeToOffer(post.planned_at, now), zone))
  const [value, setValue] = useState(offered)
  const notices = useChangeNotices(onDone)
  const instant = value ? instantOf(value, zone) : null
  const past = instant !== null && instant.getTime() <= now.getTime()
  const skipped = timeInsteadOf(value, zone)
  const done = kind === 'move' ? 'posts:actions.moved' : 'posts:actions.scheduled'
  const field = change.error?.errors.find((error) => error.field === 'planned_at')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!instant || past) return
        const body = { version: post.version, planned_at: instant.toISOString() }
        changeOnce(
          { path: { post_id: post.id }, body },
          notices(({ post: changed }) => t(done, { when: shown(changed.planned_at ?? body.planned_at) })),
        )
      }}
    >
      <TextInput
        type="datetime-local"
        label={t('posts:actions.when')}
        description={skipped ? t('posts:actions.leftOut', { time: skipped }) : t('posts:actions.zone', { zone })}
        value={value}
        min={wallTime(now, zone)}
        required
        withAsterisk={false}
        data-autofocus
        error={past || field ? t('errors:slot_past') : undefined}
        onChange={(event) => {
          setValue(event.currentTarget.value)
          onTyped(event.currentTarget.value !== offered)
        }}
      />
      {change.error && !field && (
        <p role="alert" className="fault">
          <ProblemText problem={change.error} />
        </p>
      )}
      <div className="buttons at-end">
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={change.isPending} disabled={!instant || past}>
          {t(kind === 'move' ? 'posts:actions.move' : 'posts:actions.schedule')}
        </Button>
      </div>
    </form>
  )
}

/** Return callbacks that show the result of a change, or why it failed. */
function useChangeNotices(onDone?: () => void) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  return (message: (changed: PostChangeOut) => string) => ({
    onSuccess: (changed: PostChangeOut) => {
      onDone?.()
      const done = changed.confirmed ? message(changed) : t('posts:actions.later')
      notifications.show({ message: changed.repeats ? `${done} ${t('posts:repeats')}` : done })
    },
    onError: (problem: Problem) => {
      if (onDone) return
      const message = withRemedy(problem.code, `${t('posts:actions.failed')} ${problemText(t, problem)}`)
      notifications.show({ color: 'red', message })
    },
  })
}
