import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { ByItselfOut, PostOut } from '@/api/types.gen'
import { channelName, ChannelIcon } from '@/components/channel'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { ReasonText } from '@/components/reason-text'
import { PostBadge } from '@/components/post-badge'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { announcementsQuery } from './announcements-api'
import { accountsQuery } from '@/features/posts/api'
import './announcements.css'
import { nameOf, destinationsOf } from '@/features/posts/post-state'

const AnnounceDialog = lazy(() => import('./announce-dialog'))

/** The social posts that announce an article, and the way to another one. */
export function Announcements({ article, hasSummary }: { article: PostOut; hasSummary: boolean }) {
  const { t } = useTranslation(['common', 'posts'])
  const [opened, setOpened] = useState(false)
  const announcements = useQuery(announcementsQuery(article.id))
  const isOut = article.deliveries.some(
    ({ state, permalink, removal }) => state === 'published' && permalink && (!removal || removal.state === 'failed'),
  )
  return (
    <Panel
      title={t('posts:announcing.title')}
      flush
      aside={
        isOut && (
          <Button size="compact-md" variant="default" leftSection={<IconSpeakerphone size={15} aria-hidden />} onClick={() => setOpened(true)}>
            {t('posts:announcing.announce')}
          </Button>
        )
      }
    >
      {announcements.data?.by_itself && <ByItself outcome={announcements.data.by_itself} />}
      {announcements.data && announcements.data.posts.length > 0 ? (
        <ul className="rows announcements">
          {announcements.data.posts.map((post) => (
            <Announcement key={post.id} post={post} />
          ))}
        </ul>
      ) : announcements.isError ? (
        <Failure title={t('posts:announcing.loadFailed')} problem={announcements.error} onRetry={() => void announcements.refetch()} />
      ) : announcements.isPending ? (
        <div className="announcements-wait" role="status" aria-busy="true">
          <span className="vh">{t('loading')}</span>
          <Skeleton height={11} width="46%" aria-hidden />
        </div>
      ) : announcements.data.by_itself ? null : (
        <p className="panel-note">{t(isOut ? 'posts:announcing.none' : 'posts:announcing.notOut')}</p>
      )}
      {opened && (
        <Suspense fallback={null}>
          <AnnounceDialog article={article} hasSummary={hasSummary} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </Panel>
  )
}

/** What becomes of what its website announces. */
function ByItself({ outcome: { state, due_at: due, code } }: { outcome: ByItselfOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  if (state === 'made' && !code) return null
  return (
    <p className="panel-note" role="status">
      {state === 'waiting' && due && t('posts:announcing.itself.waiting', { when: format.atMoment(due) })}
      {state === 'writing' && t('posts:announcing.itself.writing')}
      {state === 'failed' && t('posts:announcing.itself.failed')}
      {state === 'made' && t('posts:announcing.itself.draft')}
      {code && (
        <>
          {' '}
          <ReasonText code={code} />
        </>
      )}
    </p>
  )
}

function Announcement({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const accounts = useQuery(accountsQuery)
  const kinds = [...new Set(destinationsOf(post, accounts.data).map(({ channel }) => channel))]
  return (
    <li>
      <span className="announcement-channels">
        {kinds.map((kind) => (
          <ChannelIcon key={kind} channel={kind} size={17} />
        ))}
        <VisuallyHidden>{format.list(kinds.map(channelName))}</VisuallyHidden>
      </span>
      <Link className="grow clip link" to={generatePath(paths.post, { socialMediaPostId: post.id })}>
        {nameOf(t, post)}
      </Link>
      {post.planned_at && <time dateTime={post.planned_at}>{format.dayAndTime(post.planned_at)}</time>}
      <PostBadge post={post} at={post.planned_at} />
    </li>
  )
}
