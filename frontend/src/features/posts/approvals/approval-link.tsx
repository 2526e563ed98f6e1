import { Button, TextInput, Title } from '@mantine/core'
import { IconCheck, IconHandStop, IconPencil, IconX } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import { LinkDecisionInSchema } from '@/api/schemas.gen'
import { decideByLink, readApprovalLink } from '@/api/sdk.gen'
import type { ApprovalLinkOut, LinkedPostOut } from '@/api/types.gen'
import { ArticleShown } from '@/components/article-shown'
import { channelName, ChannelIcon } from '@/components/channel'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { PostPreview } from '@/components/post-preview'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { cutFrom } from '@/lib/sent-files'
import { millisecondsUntil, useNow } from '@/lib/clock'
import { editPath } from '@/lib/edit-path'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { approvalsPath, paths } from '@/lib/paths'
import { isMissing, problemText, type Problem } from '@/lib/problems'
import './approval-link.css'

interface Answer {
  approved: boolean
  remark: string
}

/** Reading the link decides nothing, so it may be repeated. */
const linkQuery = (postId: string, token: string) =>
  queryOptions<ApprovalLinkOut, Problem>({
    queryKey: ['approval-link', postId, token],
    queryFn: async ({ signal }) => (await readApprovalLink({ body: { post_id: postId, token }, signal })).data,
    enabled: token !== '',
  })

interface ApprovalLinkProps {
  postId: string
  /** From the link of the mail; empty if the address has none. */
  token: string
}

/** The post that the link of a mail asks about, with the answers, or why it can no longer be answered. */
export function ApprovalLink({ postId, token }: ApprovalLinkProps) {
  const { t } = useTranslation(['common', 'approvals'])
  const link = useQuery(linkQuery(postId, token))
  const now = useNow()
  if (token === '' || isMissing(link.error)) return <ClosedApproval state="invalid" postId={postId} />
  if (link.isPending) return <RowSkeletons rows={2} />
  if (link.isError && !link.data)
    return <Failure title={t('approvals:loadFailed')} problem={link.error} onRetry={() => void link.refetch()} />
  const { state, post, decided_at: at, by_deadline, topic_title: topic, at_deadline, at_once } = link.data
  const expired = at_deadline === 'hold' ? 'expiredKept' : 'expired'
  if (state === 'open' && post) {
    if (millisecondsUntil(post.deadline_at, now) > 0) return <OpenApproval post={post} postId={postId} token={token} />
    return <ClosedApproval state={expired} postId={postId} topic={topic} />
  }
  if (state === 'open') return <ClosedApproval state="invalid" postId={postId} />
  const approved = by_deadline ? 'approvedByDeadline' : at_once ? 'approvedAtOnce' : 'approved'
  const closed = state === 'approved' ? approved : state === 'expired' ? expired : state
  return <ClosedApproval state={closed} postId={postId} at={at} topic={topic} />
}

interface OpenApprovalProps {
  post: LinkedPostOut
  postId: string
  token: string
}

/** A post or article that waits for an answer. */
function OpenApproval({ post, postId, token }: OpenApprovalProps) {
  const { t } = useTranslation(['common', 'approvals'])
  return (
    <>
      <Title order={1}>{t('approvals:title')}</Title>
      <p className="mid">
        {post.assistant_name
          ? t(`approvals:by.${post.article ? 'article' : 'post'}`, { assistant: post.assistant_name, topic: post.topic_title })
          : t(`approvals:byHand.${post.article ? 'article' : 'post'}`, { topic: post.topic_title })}
      </p>
      <section className="panel" aria-label={post.topic_title}>
        <ApprovalFacts post={post} />
        {post.article ? (
          <div className="approval-link-texts">
            <ArticleShown article={post.article} language={post.language} />
          </div>
        ) : (
          <Texts post={post} />
        )}
        <Answers post={post} postId={postId} token={token} />
      </section>
    </>
  )
}

/** When and where the post goes out, and until when it can be answered. */
function ApprovalFacts({ post }: { post: LinkedPostOut }) {
  const { t } = useTranslation(['common', 'approvals', 'posts'])
  const format = useFormat()
  const formatThere = useFormatIn(post.time_zone)
  const now = useNow()
  const names = post.accounts.map(({ name, channel }) => `${name} (${channelName(channel)})`)
  return (
    <div className="approval-link-facts">
      <Facts
        facts={[
          [
            t('approvals:goesOut'),
            post.at_once && post.at_deadline !== 'publish' ? (
              t('approvals:atOnce')
            ) : (
              <time key="at" dateTime={post.planned_at}>
                {t('approvals:zone', { when: formatThere.dayAndTime(post.planned_at, now), zone: post.time_zone })}
              </time>
            ),
          ],
          [t(post.article ? 'approvals:website' : 'approvals:accounts'), post.article?.website || format.list(names)],
        ]}
      />
      <p>
        <time dateTime={post.deadline_at} title={format.dayAndTime(post.deadline_at, now)}>
          {t('approvals:left', { time: format.duration(millisecondsUntil(post.deadline_at, now)) })}
        </time>{' '}
        {t(`posts:approval.otherwise.${post.at_deadline}`)}
      </p>
      {post.is_demo && <p role="note">{t('approvals:demo')}</p>}
      <p className="approval-link-note">{t('approvals:asShown')}</p>
    </div>
  )
}

/** Approve, decline with a reason, or edit the post. */
function Answers({ post, postId, token }: OpenApprovalProps) {
  const { t } = useTranslation(['common', 'approvals', 'errors', 'posts'])
  const [declining, setDeclining] = useState(false)
  const [remark, setRemark] = useState('')
  const { mutate, error, isPending } = useDecideByLink(postId, token)
  const isVeto = post.at_deadline === 'publish'
  return (
    <div className="approval-link-answers">
      {error && (
        <p role="alert" className="approval-link-problem">
          {t('approvals:notSaved')} {problemText(t, error)}
        </p>
      )}
      {declining ? (
        <form
          className="grow"
          onSubmit={(event) => {
            event.preventDefault()
            mutate({ approved: false, remark: remark.trim() })
          }}
        >
          <TextInput
            label={t('posts:approval.reason')}
            value={remark}
            maxLength={LinkDecisionInSchema.properties.remark.maxLength}
            autoFocus
            onChange={(event) => setRemark(event.currentTarget.value)}
          />
          <div className="buttons">
            <Button type="submit" color="red" loading={isPending}>
              {t(isVeto ? 'posts:approval.stop' : 'posts:approval.decline')}
            </Button>
            <Button variant="default" onClick={() => setDeclining(false)}>
              {t('cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <Button
            color="saffron.4"
            autoContrast
            leftSection={<IconCheck size={16} aria-hidden />}
            loading={isPending}
            onClick={() => mutate({ approved: true, remark: '' })}
          >
            {t('posts:approval.approve')}
          </Button>
          <Button
            variant="default"
            leftSection={isVeto ? <IconHandStop size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
            disabled={isPending}
            onClick={() => setDeclining(true)}
          >
            {t(isVeto ? 'posts:approval.stop' : 'posts:approval.decline')}
          </Button>
          <Button
            component={Link}
            to={editPath({ id: postId, is_article: post.article !== null })}
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            title={t('approvals:editHint')}
          >
            {t('approvals:edit')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Answer the post once, and show what the server has then. */
function useDecideByLink(postId: string, token: string) {
  const queryClient = useQueryClient()
  const query = linkQuery(postId, token)
  const decide = useMutation<ApprovalLinkOut, Problem, Answer>({
    mutationFn: async (answer) => (await decideByLink({ body: { post_id: postId, token, ...answer } })).data,
    onSuccess: (result) => queryClient.setQueryData(query.queryKey, result),
    // the post may have been answered or changed meanwhile, which the page shows then
    onError: () => queryClient.invalidateQueries(query),
  })
  return { mutate: useMutateOnce(decide), error: decide.error, isPending: decide.isPending }
}

/** The texts of the post; accounts with the same text share one. */
function Texts({ post }: { post: LinkedPostOut }) {
  const { t } = useTranslation(['common', 'approvals'])
  const filesOf = ({ file_places, hides_cover }: LinkedPostOut['accounts'][number]) =>
    post.files
      .filter((_, place) => file_places.includes(place))
      .map((file) => (hides_cover ? { ...file, cover_url: null } : file))
  const accountsByText = new Map<string, (LinkedPostOut['accounts'][number] & { content: string })[]>()
  for (const account of post.accounts) {
    const shown = { ...account, content: account.content ?? post.content }
    const key = JSON.stringify({ ...shown, channel: '', name: '' })
    accountsByText.set(key, [...(accountsByText.get(key) ?? []), shown])
  }
  return (
    <ul className="approval-link-texts">
      {[...accountsByText.values()].map(([account, ...moreAccounts]) => account && (
        <li key={`${account.channel} ${account.name}`}>
          {[account, ...moreAccounts].map(({ channel, name }) => (
            <h2 key={`${channel} ${name}`}>
              <ChannelIcon channel={channel} size={17} />
              {t('approvals:asIn', { network: channelName(channel), account: name })}
            </h2>
          ))}
          <PostPreview
            channel={account.channel}
            post={{ ...post, ...account, files: filesOf(account), deliveries: [] }}
            author={{ name: account.name, pictureUrl: null }}
            isWhole
            link={post.link ? { ...post.link, place: account.link } : undefined}
            pages={cutFrom(post.files, filesOf(account))}
          />
        </li>
      ))}
    </ul>
  )
}

interface ClosedApprovalProps {
  state: 'approved' | 'approvedAtOnce' | 'approvedByDeadline' | 'declined' | 'expired' | 'expiredKept' | 'outdated' | 'withdrawn' | 'invalid'
  postId: string
  /** When it was decided. */
  at?: string | null
  /** What the post is about. */
  topic?: string
}

/** How the question ended, and where to go on. */
function ClosedApproval({ state, postId, at, topic }: ClosedApprovalProps) {
  const { t } = useTranslation(['common', 'approvals'])
  const format = useFormat()
  const when = at ? (state === 'approvedByDeadline' ? format.momentInSentence(at) : format.atMoment(at)) : ''
  return (
    <section className="approval-link-ended">
      <div role="status">
        {topic && <p className="phead-kicker">{topic}</p>}
        <Title order={1}>{t(`approvals:over.${state}.title`)}</Title>
        <p className="mid">{t(`approvals:over.${state}.text`, { when })}</p>
      </div>
      {state === 'invalid' ? (
        <Button component={Link} to={approvalsPath} size="md">
          {t('approvals:toApprovals')}
        </Button>
      ) : (
        <Button component={Link} to={generatePath(paths.post, { socialMediaPostId: postId })} size="md">
          {t('approvals:toPost')}
        </Button>
      )}
    </section>
  )
}
