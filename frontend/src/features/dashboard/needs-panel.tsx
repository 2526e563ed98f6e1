import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlug } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { AccountToReconnectOut, DeliveryOut, PausedAssistantOut, PostOut, UnplannedAssistantOut } from '@/api/types.gen'
import { Acknowledge } from '@/components/acknowledge'
import { ChannelIcons, ChannelTile, isSite, placeOf } from '@/components/channel'
import { lacksComment } from '@/components/delivery-status'
import { NetworkLink } from '@/components/network-link'
import { Panel } from '@/components/panel'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { shortened } from '@/lib/cut-text'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { paramsOf, problemText, type Problem } from '@/lib/problems'
import { postsAndArticlesPath } from '@/lib/post-list-path'
import { useDecide, useReconnect } from './api'
import { isUndeleted, type Needs } from './needs'
import { NEEDS } from './places'
import { countedKindIn, contentKindOf, type CountedKind } from '@/lib/content-kind'

const LONGEST_NAME = 80 // characters

/** The path to the list of waiting posts and articles. */
const waitingPath = postsAndArticlesPath({ waiting: 'yes' })

interface NeedsPanelProps {
  needs: Needs
  next: string
  /** The number and kind of posts and articles with an unclear outcome, also those that are not listed. */
  several: number
  counted: CountedKind
}

/** Everything that waits for the user, each with its answer. */
export function NeedsPanel({ needs, next, several, counted }: NeedsPanelProps) {
  const { t } = useTranslation(['common', 'dashboard'])
  const list = useRef<HTMLDivElement>(null)
  const { unclear, toApprove, disconnected, failed, undeleted, paused, ended, unplanned, more, count } = needs
  const listed = [...unclear.map(({ post }) => post), ...toApprove, ...failed, ...undeleted]
  // the row that settles all of them also stands for those that are not listed
  const settled = several > 1 ? several - new Set(unclear.map(({ post }) => post.id)).size : 0
  const further = more - Math.max(0, settled)
  // an answered row leaves the list, which would lose the focus
  const stay = () => list.current?.focus()
  return (
    <Panel
      id={NEEDS}
      title={t('dashboard:needs')}
      flush
      aside={
        listed.length > 0 && (
          <Link className="link" to={waitingPath}>
            {t(`dashboard:openAll.${more > 0 ? 'both' : countedKindIn(listed)}`)}
          </Link>
        )
      }
    >
      <div ref={list} tabIndex={-1} className="needs">
        {count === 0 ? (
          <p className="panel-note">
            {t('dashboard:needsNothing')} {next}
          </p>
        ) : (
          <ul className="rows plain-list">
            {toApprove.map((post) => (
              <ApprovalNeed key={post.id} post={post} onAnswer={stay} />
            ))}
            {several > 1 && <Several count={several} counted={counted} />}
            {unclear.map(({ post, delivery }) => (
              <Unclear key={delivery.id} post={post} delivery={delivery} onAnswer={stay} />
            ))}
            {disconnected.map((account) => (
              <Disconnected key={account.id} account={account} />
            ))}
            {ended[0] && <Ended count={ended.length} first={ended[0]} />}
            {paused.map((assistant) => (
              <PausedItself key={assistant.id} assistant={assistant} />
            ))}
            {unplanned.map((assistant) => (
              <Unplanned key={assistant.id} assistant={assistant} />
            ))}
            {failed.map((post) => (
              <Failed key={post.id} post={post} onAnswer={stay} />
            ))}
            {undeleted.map((post) => (
              <Undeleted key={post.id} post={post} onAnswer={stay} />
            ))}
            {further > 0 && (
              <li>
                <Link className="link" to={waitingPath}>
                  {t('dashboard:needsMore', { count: further })}
                </Link>
              </li>
            )}
          </ul>
        )}
      </div>
    </Panel>
  )
}

/** One row for several unclear posts, which the user settles together. */
function Several({ count, counted }: { count: number; counted: CountedKind }) {
  const { t } = useTranslation(['common', 'dashboard'])
  return (
    <li className="need">
      <div className="grow two-lines">
        <b>{t(`dashboard:several.${counted}`, { count })}</b>
        <small>{t(`dashboard:severalText.${counted}`)}</small>
      </div>
      <div className="need-answers">
        <Button component={Link} to={postsAndArticlesPath({ state: 'unknown', settle: 'all' })} size="xs" color="saffron">
          {t('dashboard:settle')}
        </Button>
      </div>
    </li>
  )
}

/** A delivery whose outcome the network does not know, so that a person has to look. */
function Unclear({ post, delivery, onAnswer }: { post: PostOut; delivery: DeliveryOut; onAnswer: () => void }) {
  const { t } = useTranslation(['common', 'dashboard', 'posts'])
  const decideOnce = useMutateOnce(useDecide(useFailureNotice('posts:decideFailed')))
  const network = placeOf(delivery)
  const answer = (answer: 'there' | 'not_there') => {
    decideOnce({ path: { post_id: post.id, delivery_id: delivery.id }, body: { answer } })
    onAnswer()
  }
  const name = nameOf(post)
  return (
    <NeedyPost post={post} channel={delivery.channel} reason={t(`posts:unknownTitle.${contentKindOf(post)}`, { network })}>
      <NetworkLink address={delivery.posts_url} label={t('dashboard:lookAt', { network })} quiet />
      <Button size="xs" variant="default" aria-label={`${t('posts:notThere')}: ${name}`} onClick={() => answer('not_there')}>
        {t('posts:notThere')}
      </Button>
      <Button size="xs" color="saffron" aria-label={`${t('posts:there')}: ${name}`} onClick={() => answer('there')}>
        {t('posts:there')}
      </Button>
    </NeedyPost>
  )
}

/** A post that waits for an approval. The person decides on the post's page, where it can be read. */
function ApprovalNeed({ post, onAnswer }: { post: PostOut; onAnswer: () => void }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const deadline = post.approval && format.momentInSentence(post.approval.deadline_at)
  const held = post.approval?.state === 'expired'
  return (
    <NeedyPost
      post={post}
      channel={post.deliveries[0]?.channel}
      reason={held ? t('dashboard:heldText') : t('dashboard:askedText', { deadline: deadline ?? '' })}
      deadline={held ? undefined : post.approval?.deadline_at}
    >
      {held && <Acknowledge postId={post.id} name={nameOf(post)} onPressed={onAnswer} />}
      <Button
        component={Link}
        to={generatePath(paths.post, { socialMediaPostId: post.id })}
        size="xs"
        color="saffron"
        aria-label={`${t('dashboard:decide')}: ${nameOf(post)}`}
      >
        {t('dashboard:decide')}
      </Button>
    </NeedyPost>
  )
}

function Failed({ post, onAnswer }: { post: PostOut; onAnswer: () => void }) {
  const { t } = useTranslation(['common', 'dashboard', 'errors'])
  const delivery = post.deliveries.find(({ state }) => state === 'failed')
  // the code is one of the server's, which the answer's type calls a text
  const code = delivery?.error_code as Problem['code'] | undefined
  const comment = post.deliveries.find(lacksComment)
  const reason = code
    ? problemText(t, { code, params: paramsOf(contentKindOf(post)) })
    : t(post.status === 'failed' ? 'dashboard:failedText' : comment?.comment?.state === 'unknown' ? 'dashboard:commentUnclear' : 'dashboard:commentFailed')
  return (
    <NeedyPost post={post} channel={(delivery ?? comment)?.channel} reason={reason}>
      <Acknowledge postId={post.id} name={nameOf(post)} onPressed={onAnswer} />
    </NeedyPost>
  )
}

/** A failed post, whose page shows the network's message and the button to retry. */
function Undeleted({ post, onAnswer }: { post: PostOut; onAnswer: () => void }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const delivery = post.deliveries.find(isUndeleted)
  const network = delivery ? placeOf(delivery) : ''
  return (
    <NeedyPost post={post} channel={delivery?.channel} reason={t(`dashboard:undeleted.${contentKindOf(post)}`, { network })}>
      {delivery?.permalink && (
        <NetworkLink address={delivery.permalink} label={t('dashboard:lookAt', { network })} quiet />
      )}
      <Acknowledge postId={post.id} name={nameOf(post)} onPressed={onAnswer} />
    </NeedyPost>
  )
}

interface NeedyPostProps {
  post: PostOut
  channel: string | undefined
  reason: string
  /** A time that is part of the reason. */
  deadline?: string
  children: ReactNode
}

function NeedyPost({ post, channel, reason, deadline, children }: NeedyPostProps) {
  const format = useFormat()
  const when = format.dayAndTime(post.planned_at ?? post.created_at)
  // a post to be published on approval has no time but the decision's
  const channels = new Set(post.deliveries.map((delivery) => delivery.channel))
  const more = [post.assistant_name, deadline && (post.approval?.at_once || format.dayAndTime(deadline) === when) ? null : when].filter(Boolean)
  return (
    <li className="need">
      {post.files[0] ? <Thumb file={post.files[0]} /> : channel && <ChannelTile channel={channel} size={42} />}
      <div className="grow two-lines">
        <Link className="run-name clip" to={generatePath(paths.post, { socialMediaPostId: post.id })}>
          {nameOf(post)}
        </Link>
        <small>{reason}</small>
        {channels.size > 1 && <ChannelIcons channels={[...channels]} size={15} />}
        {more.length > 0 && <small className="num">{more.join(' · ')}</small>}
      </div>
      <div className="need-answers">{children}</div>
    </li>
  )
}

function Disconnected({ account }: { account: AccountToReconnectOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const reconnect = useReconnect(useFailureNotice('dashboard:reconnectFailed'))
  const written = isSite(account.channel) ? 'article' : 'post'
  return (
    <li className="need">
      <ChannelTile channel={account.channel} size={42} />
      <div className="grow two-lines">
        <b>{t(`dashboard:reconnectTitle.${written}`, { name: account.name })}</b>
        <small>{t(`dashboard:reconnectText.${written}`)}</small>
      </div>
      <div className="need-answers">
        {written === 'article' ? (
          <Button
            component={Link}
            to={paths.websites}
            size="xs"
            variant="default"
            leftSection={<IconPlug size={14} aria-hidden />}
            aria-label={`${t('dashboard:reconnect')}: ${account.name}`}
          >
            {t('dashboard:reconnect')}
          </Button>
        ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlug size={14} aria-hidden />}
          // loading until the browser has left
          loading={reconnect.isPending || reconnect.isSuccess}
          aria-label={`${t('dashboard:reconnect')}: ${account.name}`}
          onClick={() => reconnect.mutate({ path: { kind: account.channel }, body: {} })}
        >
          {t('dashboard:reconnect')}
        </Button>
        )}
      </div>
    </li>
  )
}

/** The row for assistants paused because the subscription ended; the banner of the page resumes them. */
function Ended({ count, first: { id, name } }: { count: number; first: PausedAssistantOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  return (
    <li className="need">
      <div className="grow two-lines">
        <b>{t('dashboard:pausedByEnd', { count, name })}</b>
        <small>{t('dashboard:pausedSinceEnd')}</small>
      </div>
      {count === 1 ? (
        <OpenAssistant id={id} name={name} />
      ) : (
        <div className="need-answers">
          <Button component={Link} to={paths.assistants} size="xs" variant="default">
            {t('dashboard:openAssistants')}
          </Button>
        </div>
      )}
    </li>
  )
}

function PausedItself({ assistant: { id, name, reason } }: { assistant: PausedAssistantOut }) {
  const { t } = useTranslation(['common', 'dashboard', 'errors'])
  return (
    <li className="need">
      <div className="grow two-lines">
        <b>{t('dashboard:pausedTitle', { name })}</b>
        <small>{reason && problemText(t, { code: reason, params: {} })}</small>
      </div>
      <OpenAssistant id={id} name={name} />
    </li>
  )
}

function Unplanned({ assistant: { id, name, reason, retry_at } }: { assistant: UnplannedAssistantOut }) {
  const { t } = useTranslation(['common', 'dashboard', 'errors'])
  const format = useFormat()
  const now = useNow()
  return (
    <li className="need">
      <div className="grow two-lines">
        <b>{t('dashboard:unplannedTitle', { name })}</b>
        <small>
          {reason === 'invalid_input' ? t('dashboard:unplannedInvalid') : reason && problemText(t, { code: reason, params: {} })}
        </small>
        {retry_at && <small className="num">{t('dashboard:unplannedAgain', { when: format.atMoment(retry_at, now) })}</small>}
      </div>
      <OpenAssistant id={id} name={name} />
    </li>
  )
}

function OpenAssistant({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation(['common', 'dashboard'])
  return (
    <div className="need-answers">
      <Button
        component={Link}
        to={generatePath(paths.assistant, { assistantId: id })}
        size="xs"
        variant="default"
        aria-label={`${t('dashboard:openAssistant')}: ${name}`}
      >
        {t('dashboard:openAssistant')}
      </Button>
    </div>
  )
}

const nameOf = (post: PostOut) => post.topic_title || shortened(post.content.trim().split('\n', 1)[0] ?? '', LONGEST_NAME)

/** Return what shows a failed answer in a notification, since the row of the post is already hidden. */
function useFailureNotice(what: 'posts:decideFailed' | 'dashboard:reconnectFailed') {
  const { t } = useTranslation(['common', 'dashboard', 'errors', 'posts'])
  return (problem: Problem) => void notifications.show({ color: 'red', message: `${t(what)} ${problemText(t, problem)}` })
}
