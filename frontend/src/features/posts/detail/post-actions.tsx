import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBan, IconCalendarEvent, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostChangeOut, PostOut } from '@/api/types.gen'
import { Acknowledge } from '@/components/acknowledge'
import { ApprovalQuestion } from '@/components/approval-question'
import { useConfirm } from '@/components/confirm'
import { Panel } from '@/components/panel'
import { ProblemText, withRemedy } from '@/components/problem-text'
import { ReasonText } from '@/components/reason-text'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { shortCountdown, timeToOffer, millisecondsUntil, useNow } from '@/lib/clock'
import { openDialog } from '@/lib/dialogs'
import { keepFocus } from '@/lib/keep-focus'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, type Problem } from '@/lib/problems'
import { instantOf, leftOut, wallTime } from '@/lib/time-zones'
import { accountsQuery, useCancelPost, useMovePost, usePublishPost, useRetryPost } from '@/features/posts/api'
import { asksNow, firstLine, isArmed, mayCancel, mayPublish, mayRetry, needsLogin } from '@/features/posts/post-state'
import { useWriteAgain } from '@/features/posts/write-again'
import { contentKindOf } from '@/lib/content-kind'

interface PostActionsProps {
  post: PostOut
  /** The website of an article takes none. */
  isSiteAway?: boolean
}

/** What a person may say about a post: approve it, move it, stop it, send it after all. */
export function PostActions({ post, isSiteAway = false }: PostActionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const writeAgain = useWriteAgain()
  const asks = post.approval?.state === 'waiting' && post.planned_at
  return (
    <>
      {asks && post.approval && post.planned_at && (
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

/** How the question was answered, once it is, and what can be done now: what nobody answered still asks. */
function Decided({ post, children }: { post: PostOut; children: ReactNode }) {
  const { t } = useTranslation(['common', 'posts'])
  const { approval } = post
  const format = useFormat()
  if (!approval || approval.state === 'waiting') return children
  const when = format.atMoment(approval.decided_at ?? approval.deadline_at)
  const deadline = format.momentInSentence(approval.decided_at ?? approval.deadline_at)
  if (asksNow(post)) {
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
        return t(asksNow(post) ? 'posts:approval.expiredKept' : 'posts:approval.expired', { deadline })
      default:
        return t('posts:approval.withdrawn')
    }
  }
}

function GoingOut({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const now = useNow()
  const left = post.planned_at ? millisecondsUntil(post.planned_at, now) : 0
  // while it is sent, its badge says so
  if (left <= 0 && post.deliveries.some(({ state }) => state === 'publishing')) return null
  return (
    <p className="fine-print" role="status">
      {left > 0 ? t('posts:actions.goingOut', { time: shortCountdown(left) }) : t('posts:maybeOut')}
    </p>
  )
}

function Buttons({ post, isSiteAway = false }: PostActionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const accounts = useQuery(accountsQuery)
  const confirm = useConfirm()
  const cancel = useCancelPost()
  const publish = usePublishPost()
  const move = useMovePost()
  const retry = useRetryPost()
  const retryOnce = useMutateOnce(retry)
  const path = { post_id: post.id }
  const { version } = post
  const told = useChangeNotices()
  const zone = useTimeZone()
  const isPartlyOut = post.deliveries.some(({ state }) => state === 'published')
  // another change on the way makes this picture of the post an old one
  const isChanging = [cancel, publish, move, retry].some(({ isPending }) => isPending)
  // what was pressed for a change may not be there afterwards; a dialog alone gives the focus back by itself
  const group = useRef<HTMLDivElement>(null)
  const changes = useRef(false)
  useEffect(() => {
    if (changes.current) keepFocus(() => group.current)
    changes.current = false
  }, [version])
  if (![mayCancel, mayPublish, mayRetry].some((may) => may(post))) return null
  return (
    <div className="post-actions" role="group" ref={group} tabIndex={-1} aria-label={t('posts:actions.label')}>
      {mayCancel(post) && (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconCalendarEvent size={14} aria-hidden />}
            disabled={isChanging}
            onClick={() => choose('move')}
          >
            {t('posts:actions.move')}
          </Button>
          {!asksNow(post) && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconSend size={14} aria-hidden />}
              loading={move.isPending}
              disabled={isChanging}
              onClick={() => void hurry()}
            >
              {t('posts:actions.publish')}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBan size={14} aria-hidden />}
            loading={cancel.isPending}
            disabled={isChanging}
            onClick={() => void stop()}
          >
            {t('posts:actions.cancel')}
          </Button>
        </>
      )}
      {mayPublish(post) && (
        <>
          <Button
            size="xs"
            // nothing could go out yet
            variant={post.account_ids.length === 0 && post.deliveries.length === 0 ? 'default' : 'filled'}
            leftSection={<IconSend size={14} aria-hidden />}
            loading={publish.isPending}
            disabled={isChanging}
            onClick={() => void send()}
          >
            {t('posts:actions.publish')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconCalendarEvent size={14} aria-hidden />}
            disabled={isChanging}
            onClick={() => choose('publish')}
          >
            {t('posts:actions.schedule')}
          </Button>
        </>
      )}
      {mayRetry(post) && (
        <Button
          size="xs"
          // the account comes first
          variant={post.deliveries.some((one) => one.state === 'failed' && needsLogin(one)) ? 'default' : 'filled'}
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={retry.isPending}
          disabled={isChanging}
          onClick={() => {
            changes.current = true
            retryOnce({ path, body: {} }, told(() => t('posts:actions.retried')))
          }}
        >
          {t('posts:actions.retry')}
        </Button>
      )}
    </div>
  )

  async function stop() {
    const sure = await confirm({
      title: t(`posts:actions.cancelTitle.${contentKindOf(post)}`),
      text: t(isPartlyOut ? 'posts:actions.cancelRestText' : 'posts:actions.cancelText'),
      action: t('posts:actions.cancel'),
    })
    if (!sure) return
    changes.current = true
    cancel.mutate({ path, body: { version } }, told(() => t('posts:actions.cancelled')))
  }

  async function send() {
    if (!(await isSure())) return
    changes.current = true
    publish.mutate({ path, body: { version } }, told(() => t('posts:actions.published')))
  }

  /** What is planned for later goes out now. */
  async function hurry() {
    if (!(await isSure())) return
    changes.current = true
    move.mutate({ path, body: { version, planned_at: null } }, told(() => t('posts:actions.published')))
  }

  function isSure() {
    const out = post.deliveries.filter(({ state }) => state === 'published').map(({ account_id }) => account_id)
    const away = (accounts.data ?? []).filter(
      ({ id, state }) => state !== 'connected' && post.account_ids.includes(id) && !out.includes(id),
    )
    const names = format.list(away.map(({ name }) => name))
    return confirm({
      title: t(`posts:actions.publishTitle.${contentKindOf(post)}`),
      text: [
        t(isPartlyOut ? 'posts:actions.publishRestText' : `posts:actions.publishText.${contentKindOf(post)}`),
        away.length > 0 && t('posts:actions.publishHeld', { names, count: away.length }),
        isSiteAway && t('posts:actions.publishHeldSite'),
      ]
        .filter(Boolean)
        .join(' '),
      action: t('posts:actions.publish'),
    })
  }

  function choose(kind: 'move' | 'publish') {
    openDialog((close, isTyped) => ({
      title: t('posts:actions.moveTitle'),
      children: (
        <ChooseTime
          post={post}
          kind={kind}
          zone={zone}
          shown={format.atMoment}
          onTyped={isTyped}
          onChange={() => (changes.current = true)}
          onDone={close}
        />
      ),
    }))
  }
}

interface ChooseTimeProps {
  post: PostOut
  kind: 'move' | 'publish'
  /** In which the time is entered: a dialog is drawn outside of what knows it. */
  zone: string
  shown: (moment: string) => string
  onTyped: (typed: boolean) => void
  onChange: () => void
  onDone: () => void
}

function ChooseTime({ post, kind, zone, shown, onTyped, onChange, onDone }: ChooseTimeProps) {
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
  const told = useChangeNotices(onDone)
  const instant = value ? instantOf(value, zone) : null
  const past = instant !== null && instant.getTime() <= now.getTime()
  const skipped = leftOut(value, zone)
  const done = kind === 'move' ? 'posts:actions.moved' : 'posts:actions.scheduled'
  const field = change.error?.errors.find((error) => error.field === 'planned_at')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!instant || past) return
        const body = { version: post.version, planned_at: instant.toISOString() }
        onChange()
        changeOnce(
          { path: { post_id: post.id }, body },
          told(({ post: changed }) => t(done, { when: shown(changed.planned_at ?? body.planned_at) })),
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

/** Says what has become of it, or why not. */
function useChangeNotices(then?: () => void) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  return (message: (changed: PostChangeOut) => string) => ({
    onSuccess: (changed: PostChangeOut) => {
      then?.()
      const said = changed.confirmed ? message(changed) : t('posts:actions.later')
      notifications.show({ message: changed.repeats ? `${said} ${t('posts:repeats')}` : said })
    },
    onError: (problem: Problem) => {
      if (then) return
      const message = withRemedy(problem.code, `${t('posts:actions.failed')} ${problemText(t, problem)}`)
      notifications.show({ color: 'red', message })
    },
  })
}
