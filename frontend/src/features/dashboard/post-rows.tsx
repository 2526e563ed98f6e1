import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { Panel } from '@/components/panel'
import { StatusBadge, type Status } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { hasUnclear } from './api'

export const postPath = (post: PostOut) => generatePath(paths.post, { socialMediaPostId: post.id })

/** What is going on with its deliveries says more than "complete". */
function statusOf(post: PostOut): Status {
  if (hasUnclear(post)) return 'unknown'
  if (post.deliveries.some(({ state }) => state === 'retrying')) return 'retrying'
  if (post.deliveries.some(({ state }) => state === 'publishing')) return 'publishing'
  return post.status
}

/** The newest posts with their picture and state. */
export function LatestPosts({ posts }: { posts: readonly PostOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Panel
      title={t('dashboard.latest')}
      flush
      aside={
        posts.length > 0 && (
          <Link className="link" to={paths.posts}>
            {t('dashboard.openAll')}
          </Link>
        )
      }
    >
      {posts.length === 0 ? (
        <p className="panel-note">{t('dashboard.latestEmpty')}</p>
      ) : (
        <ul className="rows plain-list">
          {posts.map((post) => (
            <li key={post.id} className="postrow">
              {post.files[0] && <img className="thumb" src={post.files[0].url} alt="" />}
              <div className="grow two">
                <Link className="run-name clip" to={postPath(post)}>
                  {post.topic_title || post.content}
                </Link>
                <small className="factline">
                  <ChannelIcons channels={[...new Set(post.deliveries.map(({ channel }) => channel))]} size={14} />
                  <span className="num">
                    {[post.assistant_name, format.dayAndTime(post.planned_at ?? post.created_at)].filter(Boolean).join(' · ')}
                  </span>
                </small>
              </div>
              <StatusBadge status={statusOf(post)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
