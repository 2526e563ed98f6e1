import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconPlugConnected, IconRefresh } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DeliveryDecisionInSchema } from '@/api/schemas.gen'
import type { AccountOut, DeliveryOut, PostOut, RemovalOut } from '@/api/types.gen'
import { Acknowledge } from '@/components/acknowledge'
import { channelName, ChannelTile, placeOf, readAt } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { deliveryStatus, isRemoved, lacksComment, waitsForSlot } from '@/components/delivery-status'
import { heldText } from '@/components/held-text'
import { NetworkLink } from '@/components/network-link'
import { isGoingOut } from '@/components/post-status'
import { Panel } from '@/components/panel'
import { ProblemText } from '@/components/problem-text'
import { StatusBadge } from '@/components/status'
import { showUndo } from '@/components/undo'
import { useDecideDelivery } from '@/components/use-decide-delivery'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { keepFocus } from '@/lib/keep-focus'
import { detailText } from '@/lib/network-message'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { paramsOf, problemText, type Problem } from '@/lib/problems'
import { HELD_FOR, useHeld } from '@/lib/use-held'
import { useIsMounted } from '@/lib/use-is-mounted'
import { useAnswerComment, useRemovePost, useSendAgain } from '@/features/posts/api'
import { firstLine, isCopiedInPart, needsLogin, destinationsOf } from '@/features/posts/post-state'
import { contentKindOf, type ContentKind } from '@/lib/content-kind'
import { useCopy } from './use-copy'

const DeliveryLog = lazy(async () => ({ default: (await import('./delivery-log')).DeliveryLog }))

interface DeliveryListProps {
  post: PostOut
  /** Those that are connected, once they are known. */
  accounts?: readonly AccountOut[]
}

export function DeliveryList({ post, accounts }: DeliveryListProps) {
  const { t } = useTranslation(['common', 'posts'])
  const destinations = post.deliveries.length === 0 ? destinationsOf(post, accounts) : []
  return (
    <Panel
      title={t('posts:deliveries')}
      flush={post.deliveries.length + destinations.length > 0}
      aside={(post.status === 'failed' || post.deliveries.some(lacksComment)) && !post.acknowledged_at && <Acknowledge postId={post.id} name={post.topic_title || firstLine(post.content)} />}
    >
      {destinations.length > 0 ? (
        <ul className="deliveries">
          {destinations.map(({ accountId, channel, name }) => (
            <li key={accountId} className="delivery">
              <ChannelTile channel={channel} size={36} />
              <div className="grow two-lines">
                <b>{name}</b>
                <small>{channelName(channel)}</small>
              </div>
              <StatusBadge status="draft" label={t('posts:notScheduled')} />
            </li>
          ))}
        </ul>
      ) : post.deliveries.length === 0 ? (
        <p className="fine-print">{t(`posts:noDeliveries.${contentKindOf(post)}`)}</p>
      ) : (
        <ul className="deliveries">
          {post.deliveries.map((delivery) => (
            <li key={delivery.id}>
              <Delivery post={post} delivery={delivery} isAway={isAway(delivery, accounts)} canComment={canComment(delivery, accounts)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Return whether the post waits for an approval, which may be declined. */
const waitsForApproval = ({ status, approval }: PostOut): boolean => status === 'draft' && approval?.state === 'waiting'

/** Return whether the delivery waits for its time, but its account is not connected. */
const isAway = ({ account_id, state }: DeliveryOut, accounts?: readonly AccountOut[]): boolean =>
  state === 'pending' && accounts !== undefined && accounts.find(({ id }) => id === account_id)?.state !== 'connected'

/** Return whether the server's app may by now publish first comments for the account. */
const canComment = ({ account_id }: DeliveryOut, accounts?: readonly AccountOut[]): boolean =>
  accounts?.some(({ id, first_comment_error }) => id === account_id && !first_comment_error) ?? false

interface DeliveryProps {
  post: PostOut
  delivery: DeliveryOut
  isAway: boolean
  canComment: boolean
}

function Delivery({ post, delivery, isAway, canComment }: DeliveryProps) {
  const { t } = useTranslation(['common', 'posts'])
  const network = channelName(delivery.channel)
  const isGone = isRemoved(delivery)
  const waits = waitsForSlot(delivery)
  const goesOut = waits && isGoingOut(post)
  const isAsked = delivery.state === 'pending' && waitsForApproval(post) && post.approval?.at_deadline !== 'publish'
  return (
    <>
      <div className="delivery">
        <ChannelTile channel={delivery.channel} size={36} />
        <div className="grow two-lines">
          <b>{delivery.account_name}</b>
          <small className="num">
            {[network, useWhen(post, delivery), delivery.attempts > 1 && t('posts:attempt', { count: delivery.attempts })]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </div>
        <StatusBadge
          status={isAsked ? 'waiting' : isGone ? 'skipped' : goesOut ? 'publishing' : deliveryStatus(delivery)}
          label={isGone ? t('posts:removal.gone') : t(`posts:delivery.${isAsked ? 'asked' : goesOut ? 'publishing' : waits ? 'pending' : delivery.state}`)}
        />
        {delivery.permalink && delivery.removal?.state !== 'removed' && (
          <NetworkLink address={delivery.permalink} label={t('posts:viewOn', { network: readAt(delivery) })} />
        )}
      </div>
      {delivery.removal && delivery.removal.state !== 'removed' && (
        <Removal post={post} delivery={delivery} removal={delivery.removal} />
      )}
      {(delivery.comment ?? delivery.comment_left) && <FirstComment post={post} delivery={delivery} canComment={canComment} />}
      {delivery.state === 'unknown' ? (
        <UnknownQuestion post={post} delivery={delivery} />
      ) : (
        delivery.error_code &&
        delivery.state !== 'published' && (
          <DeliveryError post={post} delivery={delivery} code={delivery.error_code} />
        )
      )}
      {isAway && (
        <div className="delivery-more" data-tone="warn" role="status">
          <p className="grow">{t(`posts:accountAway.${contentKindOf(post)}`)}</p>
          <Reconnect written={contentKindOf(post)} />
        </div>
      )}
      {(delivery.attempts > 0 || delivery.error_code) && <Log post={post} delivery={delivery} />}
    </>
  )
}

const isAhead = (moment: string | null, now: Date): moment is string => moment !== null && Date.parse(moment) > now.getTime()

/** Return the relevant time of the delivery's state as text; null if there is none. */
function useWhen(post: PostOut, delivery: DeliveryOut): string | null {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const at = (time: string | null) => (time ? format.dayAndTime(time) : null)
  const settled = at(delivery.settled_at)
  const planned = at(post.planned_at)
  const calledAt = at(delivery.called_at)
  const now = useNow()
  // an article that was taken down is a draft again
  if (isRemoved(delivery) && delivery.removal?.removed_at) {
    const when = format.dayAndTime(delivery.removal.removed_at)
    return t('posts:removal.removed', { network: placeOf(delivery), when })
  }
  switch (delivery.state) {
    case 'published':
      if (delivery.decided_at) return t('posts:confirmed', { when: format.dayAndTime(delivery.decided_at) })
      return settled && t('posts:outAt', { when: settled })
    case 'failed':
      return settled && t('posts:failedAt', { when: settled })
    case 'pending':
    case 'publishing':
      // a post that waits for approval may go out later or never; the approval question shows the time
      if (waitsForApproval(post)) return null
      return planned && waitsForSlot(delivery) && !isGoingOut(post, now) ? t('posts:goesOut', { when: planned }) : planned
    case 'held':
      return heldText(t, format.dayAndTime, delivery)
    case 'unknown':
      return calledAt && t('posts:triedAt', { when: calledAt })
    case 'retrying':
      return (
        [
          calledAt && t('posts:triedAt', { when: calledAt }),
          isAhead(delivery.retry_at, now) && t(calledAt ? 'posts:asksAgainAt' : 'posts:triesAgainAt', { when: format.dayAndTime(delivery.retry_at) }),
        ]
          .filter(Boolean)
          .join(' · ') || null
      )
    default:
      return planned
  }
}

function DeliveryError({ post, delivery, code }: { post: PostOut; delivery: DeliveryOut; code: string }) {
  const { t } = useTranslation(['common', 'posts'])
  const written = contentKindOf(post)
  // a new login needs no other text or image
  const needsCopy = delivery.state === 'failed' && !needsLogin(delivery) && isCopiedInPart(post)
  // the code is one of the server's, which the answer's type calls a text
  const problem = { code: code as Problem['code'], params: paramsOf(written) }
  const answered = code === 'delivery_unknown' && delivery.state === 'failed'
  const errorText = () => {
    if (answered) return t(`posts:notThereSaid.${written}`)
    // the delivery's time already says that a login is needed, but not that the network blocks the account
    if (delivery.state === 'held' && delivery.called_at && !delivery.retry_at) return t(`posts:heldUnclear.${written}`)
    if (delivery.state === 'held' && code === 'delivery_needs_reconnect') return t(`posts:heldFor.${written}`)
    // the general message asks the user to try again
    if ((delivery.state === 'retrying' || delivery.state === 'held') && code === 'rate_limited') return t('posts:limited', { network: placeOf(delivery) })
    return <ProblemText problem={problem} />
  }
  return (
    <div className="delivery-more" data-tone={delivery.state === 'failed' ? 'bad' : 'warn'} role="status">
      <div className="grow">
        <p>{errorText()}</p>
        {delivery.error_detail && !answered && (
          <NetworkDetail place={placeOf(delivery)} detail={delivery.error_detail} />
        )}
        {needsCopy && <p>{t('posts:copyHint')}</p>}
      </div>
      {needsLogin(delivery) && <Reconnect written={written} />}
      {needsCopy && <CopyForFailed post={post} />}
    </div>
  )
}

function CopyForFailed({ post }: { post: PostOut }) {
  const { copy, isPending, label } = useCopy(post)
  return (
    <Button size="xs" variant="default" leftSection={<IconCopy size={14} aria-hidden />} loading={isPending} onClick={copy}>
      {label}
    </Button>
  )
}

/** The delivery's log, loaded when it is opened. */
function Log({ post, delivery }: { post: PostOut; delivery: DeliveryOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const [opened, setOpened] = useState(false)
  return (
    <details className="delivery-history" onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{t('posts:log')}</summary>
      <Suspense>{opened && <DeliveryLog postId={post.id} deliveryId={delivery.id} written={contentKindOf(post)} />}</Suspense>
    </details>
  )
}

interface RemovalProps {
  post: PostOut
  delivery: DeliveryOut
  removal: RemovalOut
}

/** The state of the deletion at the network: in progress, or failed. */
function Removal({ post, delivery, removal }: RemovalProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const remove = useRemovePost()
  const removeOnce = useMutateOnce(remove)
  const network = placeOf(delivery)
  const failed = removal.state === 'failed'
  const stateText = failed
    ? t('posts:removal.failed', { network })
    : removal.error_code && removal.next_at
      ? t('posts:removal.asksAgain', { network, when: format.dayAndTime(removal.next_at) })
      : t('posts:removal.waiting', { network })
  return (
    <div className="delivery-more" data-tone={failed ? 'bad' : 'warn'} role="status">
      <div className="grow">
        <p>
          {stateText} {removal.error_code && problemText(t, { code: removal.error_code, params: paramsOf(contentKindOf(post)) })}
        </p>
        {removal.error_detail && <NetworkDetail place={network} detail={removal.error_detail} />}
        {post.leaves && <p className="dim">{t('posts:removal.leaves')}</p>}
        {remove.error && (
          <p role="alert">
            {t('posts:removal.askFailed')} {problemText(t, remove.error)}
          </p>
        )}
      </div>
      {failed && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={remove.isPending}
          onClick={() => removeOnce({ path: { post_id: post.id }, body: { delivery_ids: [delivery.id], here: post.leaves } })}
        >
          {t('posts:removal.again')}
        </Button>
      )}
    </div>
  )
}

const tones = { waiting: 'warn', failed: 'bad', unknown: 'turn', left: 'note' } as const

interface FirstCommentProps {
  post: PostOut
  delivery: DeliveryOut
  canComment: boolean
}

/** The state of the first comment. The post is published, whatever that state is. */
function FirstComment({ post, delivery, canComment }: FirstCommentProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const isMounted = useIsMounted()
  /** Whether the user has said that the comment is online, which is sent a little later. */
  const [isSaid, setIsSaid] = useState(false)
  const endOffer = useRef<() => void>(undefined)
  const ask = useAnswerComment((problem) => {
    setIsSaid(false)
    if (!isMounted()) notifications.show({ color: 'red', autoClose: false, message: `${t('posts:decideFailed')} ${problemText(t, problem)}` })
  })
  const askOnce = useMutateOnce(ask)
  const answer = (answer: 'there' | 'again') =>
    // the request survives closing the page
    askOnce({ path: { post_id: post.id, delivery_id: delivery.id }, body: { answer }, keepalive: true })
  const held = useHeld((said: 'there') => {
    answer(said)
    endOffer.current?.()
  })
  const quote = useRef<HTMLQuoteElement>(null)
  const summary = useRef<HTMLElement>(null)
  const thereButton = useRef<HTMLButtonElement>(null)
  const { comment, comment_left: left } = delivery
  const network = left ? readAt(delivery) : channelName(delivery.channel)
  // left to the user: the server's app may not publish it
  const state = isSaid ? 'published' : (comment?.state ?? 'left')
  const copy = post.first_comment && (
    <CopyButton
      size="xs"
      variant={left ? 'filled' : 'default'}
      text={post.first_comment}
      label={t('posts:firstComment.copy')}
      onForbidden={() => markAndCopy(quote.current)}
    />
  )
  const text = post.first_comment && (
    <blockquote className="delivery-quote" lang={post.language} ref={quote}>
      {post.first_comment}
    </blockquote>
  )
  if (state === 'published')
    return (
      <>
        <p className="delivery-note" role="status">
          {t('posts:firstComment.published')}
        </p>
        {text && (
          <details className="delivery-history" open={isSaid}>
            <summary ref={summary}>{t('posts:firstComment.show')}</summary>
            {text}
            <div className="delivery-answers">{copy}</div>
          </details>
        )}
      </>
    )
  const sayThere = () => {
    setIsSaid(true)
    keepFocus(() => summary.current)
    held.hold('there', HELD_FOR)
    endOffer.current = showUndo({
      message: t('posts:firstComment.noted'),
      label: t('undo'),
      undo: () => {
        if (!held.takeBack()) return
        setIsSaid(false)
        keepFocus(() => thereButton.current)
      },
      offeredFor: HELD_FOR,
    })
  }
  const waits = state === 'waiting'
  const stateText =
    waits && comment?.error_code && comment.next_at
      ? t('posts:firstComment.again', { when: format.dayAndTime(comment.next_at) })
      : t(`posts:firstComment.${state}`, { network })
  return (
    <div className="delivery-more" data-tone={tones[state]} role="status">
      <div className="grow">
        <p>
          {stateText} {comment?.error_code && state !== 'unknown' && problemText(t, { code: comment.error_code, params: {} })}
        </p>
        {!waits && text}
        {left && <p className="dim">{problemText(t, left)}</p>}
        {comment?.error_detail && <NetworkDetail place={network} detail={comment.error_detail} />}
        {!waits && (
          <div className="delivery-answers">
            {left && copy}
            {(state === 'unknown' || state === 'left') && (
              <Button size="xs" {...(left ? { variant: 'default' } : { color: 'saffron' })} ref={thereButton} disabled={ask.isPending} onClick={sayThere}>
                {t(left ? 'posts:firstComment.byHand' : 'posts:there')}
              </Button>
            )}
            {(left ? canComment || left.code === 'first_comment_refused' : comment?.error_code !== 'comment_not_possible') && (
              <Button size="xs" variant="default" disabled={ask.isPending} onClick={() => answer('again')}>
                {t('posts:firstComment.putAgain')}
              </Button>
            )}
            {!left && copy}
          </div>
        )}
        {ask.error && (
          <p role="alert">
            {t('posts:decideFailed')} {problemText(t, ask.error)}
          </p>
        )}
      </div>
    </div>
  )
}

function Reconnect({ written }: { written: ContentKind }) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Button component={Link} to={written === 'article' ? paths.websites : paths.account} size="xs" leftSection={<IconPlugConnected size={14} aria-hidden />}>
      {t(`posts:reconnect.${written}`)}
    </Button>
  )
}

/** The question whether an unclear delivery was published: the user looks at the network and answers. */
function UnknownQuestion({ post, delivery }: { post: PostOut; delivery: DeliveryOut }) {
  const { t } = useTranslation(['common', 'dashboard', 'errors', 'posts'])
  const confirm = useConfirm()
  const decide = useDecideDelivery()
  const decideOnce = useMutateOnce(decide)
  const send = useSendAgain()
  const [at, setAt] = useState('')
  const network = placeOf(delivery)
  const written = contentKindOf(post)
  const wrongAddress = decide.error?.errors.some(({ field }) => field === 'address')
  const answer = (answer: 'there' | 'not_there') =>
    decideOnce({ path: { post_id: post.id, delivery_id: delivery.id }, body: { answer, address: at } })
  const sendAgain = async () => {
    const sure = await confirm({
      title: t(`posts:sendAgainTitle.${written}`, { network }),
      text: t(`posts:sendAgainText.${written}`),
      action: t('posts:sendAgain'),
    })
    if (!sure) return
    send.mutate(
      { path: { post_id: post.id }, body: { delivery_ids: [delivery.id] } },
      { onSuccess: ({ confirmed }) => notifications.show({ message: t(confirmed ? 'posts:sentAgain' : 'posts:actions.later') }) },
    )
  }
  const busy = decide.isPending || send.isPending
  return (
    <div className="delivery-more" data-tone="turn">
      <div className="grow">
        <p>
          <strong>{t(`posts:unknownTitle.${written}`, { network })}</strong>
        </p>
        {delivery.error_code === 'delivery_unreadable' && <p>{problemText(t, { code: 'delivery_unreadable', params: {} })}</p>}
        <p>{t('posts:unknownText', { account: delivery.account_name })}</p>
        <TextInput
          className="delivery-address"
          size="xs"
          type="url"
          label={t(`posts:thereAt.${written}`)}
          description={t(`posts:thereAtHint.${written}`)}
          value={at}
          maxLength={DeliveryDecisionInSchema.properties.address.maxLength}
          error={wrongAddress ? t('errors:delivery_address_unusable') : undefined}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
        <div className="delivery-answers">
          <Button size="xs" color="saffron" loading={decide.isPending} disabled={send.isPending} onClick={() => answer('there')}>
            {t('posts:there')}
          </Button>
          <Button size="xs" variant="default" disabled={busy} onClick={() => answer('not_there')}>
            {t('posts:notThere')}
          </Button>
          <Button size="xs" variant="default" loading={send.isPending} disabled={decide.isPending} onClick={() => void sendAgain()}>
            {t('posts:sendAgain')}
          </Button>
          <NetworkLink address={delivery.posts_url} label={t('dashboard:lookAt', { network })} quiet />
        </div>
        {decide.error && !wrongAddress && (
          <p role="alert">
            {t('posts:decideFailed')} {problemText(t, decide.error)}
          </p>
        )}
        {send.error && (
          <p role="alert">
            {t('posts:sendAgainFailed')} <ProblemText problem={send.error} />
          </p>
        )}
      </div>
    </div>
  )
}

/** The network's message, or how its response was lost. */
function NetworkDetail({ place, detail }: { place: string; detail: string }) {
  const { t } = useTranslation(['common', 'posts'])
  const text = detailText(t, detail, place, (words) => t('posts:networkSaid', { network: place, detail: words }))
  return text && <p className="dim">{text}</p>
}
