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

/** Asking decides nothing, so it is asked as often as needed. */
const linkQuery = (postId: string, token: string) =>
  queryOptions<ApprovalLinkOut, Problem>({
    queryKey: ['approval-link', postId, token],
    queryFn: async ({ signal }) => (await readApprovalLink({ body: { post_id: postId, token }, signal })).data,
    enabled: token !== '',
  })

interface ApprovalLinkProps {
  postId: string
  /** From the link of the mail; empty where the address has none. */
  token: string
}

/** What the link of a mail asks about, with the answers; or why it cannot be answered any more. */
export function ApprovalLink({ postId, token }: ApprovalLinkProps) {
  const { t } = useTranslation(['common', 'approvals'])
  const link = useQuery(linkQuery(postId, token))
  const now = useNow()
  if (token === '' || isMissing(link.error)) return <Over state="invalid" postId={postId} />
  if (link.isPending) return <RowSkeletons rows={2} />
  if (link.isError && !link.data)
    return <Failure title={t('approvals:loadFailed')} problem={link.error} onRetry={() => void link.refetch()} />
  const { state, post, decided_at: at, by_deadline, topic_title: topic, at_deadline, at_once } = link.data
  const expired = at_deadline === 'hold' ? 'expiredKept' : 'expired'
  if (state === 'open' && post) {
    if (millisecondsUntil(post.deadline_at, now) > 0) return <Asked post={post} postId={postId} token={token} />
    return <Over state={expired} postId={postId} topic={topic} />
  }
  if (state === 'open') return <Over state="invalid" postId={postId} />
  const approved = by_deadline ? 'approvedByDeadline' : at_once ? 'approvedAtOnce' : 'approved'
  const over = state === 'approved' ? approved : state === 'expired' ? expired : state
  return <Over state={over} postId={postId} at={at} topic={topic} />
}

interface AskedProps {
  post: LinkedPostOut
  postId: string
  token: string
}

function Asked({ post, postId, token }: AskedProps) {
  const { t } = useTranslation(['common', 'approvals', 'errors', 'posts'])
  const format = useFormat()
  const there = useFormatIn(post.time_zone)
  const now = useNow()
  const queryClient = useQueryClient()
  const [declining, setDeclining] = useState(false)
  const [remark, setRemark] = useState('')
  const decide = useMutation<ApprovalLinkOut, Problem, Answer>({
    mutationFn: async (answer) => (await decideByLink({ body: { post_id: postId, token, ...answer } })).data,
    onSuccess: (found) => queryClient.setQueryData(linkQuery(postId, token).queryKey, found),
    // somebody may have answered or changed it meanwhile: then the page says that instead
    onError: () => queryClient.invalidateQueries(linkQuery(postId, token)),
  })
  const decideOnce = useMutateOnce(decide)
  const veto = post.at_deadline === 'publish'
  const names = post.accounts.map(({ name, channel }) => `${name} (${channelName(channel)})`)
  return (
    <>
      <Title order={1}>{t('approvals:title')}</Title>
      <p className="mid">
        {post.assistant_name
          ? t(`approvals:by.${post.article ? 'article' : 'post'}`, { assistant: post.assistant_name, topic: post.topic_title })
          : t(`approvals:byHand.${post.article ? 'article' : 'post'}`, { topic: post.topic_title })}
      </p>
      <section className="panel" aria-label={post.topic_title}>
        <div className="approval-link-facts">
          <Facts
            facts={[
              [
                t('approvals:goesOut'),
                post.at_once && !veto ? (
                  t('approvals:atOnce')
                ) : (
                  <time key="at" dateTime={post.planned_at}>
                    {t('approvals:zone', { when: there.dayAndTime(post.planned_at, now), zone: post.time_zone })}
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
        {post.article ? (
          <div className="approval-link-texts">
            <ArticleShown article={post.article} language={post.language} />
          </div>
        ) : (
          <Texts post={post} />
        )}
        <div className="approval-link-answers">
          {decide.error && (
            <p role="alert" className="approval-link-problem">
              {t('approvals:notSaved')} {problemText(t, decide.error)}
            </p>
          )}
          {declining ? (
            <form
              className="grow"
              onSubmit={(event) => {
                event.preventDefault()
                decideOnce({ approved: false, remark: remark.trim() })
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
                <Button type="submit" color="red" loading={decide.isPending}>
                  {t(veto ? 'posts:approval.stop' : 'posts:approval.decline')}
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
                loading={decide.isPending}
                onClick={() => decideOnce({ approved: true, remark: '' })}
              >
                {t('posts:approval.approve')}
              </Button>
              <Button
                variant="default"
                leftSection={veto ? <IconHandStop size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
                disabled={decide.isPending}
                onClick={() => setDeclining(true)}
              >
                {t(veto ? 'posts:approval.stop' : 'posts:approval.decline')}
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
      </section>
    </>
  )
}

/** The post as the accounts get it: once for those that get the same. */
function Texts({ post }: { post: LinkedPostOut }) {
  const { t } = useTranslation(['common', 'approvals'])
  const same = new Map<string, LinkedPostOut['accounts']>()
  for (const account of post.accounts) {
    const shown = JSON.stringify([account.content ?? post.content, account.first_comment, account.link])
    same.set(shown, [...(same.get(shown) ?? []), account])
  }
  return (
    <ul className="approval-link-texts">
      {[...same.values()].map(([account, ...others]) => account && (
        <li key={`${account.channel} ${account.name}`}>
          {[account, ...others].map(({ channel, name }) => (
            <h2 key={`${channel} ${name}`}>
              <ChannelIcon channel={channel} size={17} />
              {t('approvals:asIn', { network: channelName(channel), account: name })}
            </h2>
          ))}
          <PostPreview
            channel={account.channel}
            post={{ content: account.content ?? post.content, language: post.language, deliveries: [], files: post.files }}
            author={{ name: account.name, pictureUrl: null }}
            isWhole
            firstComment={account.first_comment}
            link={post.link ? { ...post.link, place: account.link } : undefined}
          />
        </li>
      ))}
    </ul>
  )
}

interface OverProps {
  state: 'approved' | 'approvedAtOnce' | 'approvedByDeadline' | 'declined' | 'expired' | 'expiredKept' | 'outdated' | 'withdrawn' | 'invalid'
  postId: string
  /** When it was decided. */
  at?: string | null
  /** What the post is about. */
  topic?: string
}

/** What has become of it, and where to go on. */
function Over({ state, postId, at, topic }: OverProps) {
  const { t } = useTranslation(['common', 'approvals'])
  const format = useFormat()
  const when = at ? (state === 'approvedByDeadline' ? format.momentInSentence(at) : format.atMoment(at)) : ''
  return (
    <section className="approval-link-over">
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
