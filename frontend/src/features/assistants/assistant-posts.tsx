import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { CursorPager } from '@/components/cursor-pager'
import { Failure } from '@/components/failure'
import { answerBy } from '@/components/post-status'
import { RowSkeletons } from '@/components/skeletons'
import { PostBadge } from '@/components/post-badge'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { postsQuery } from './api'
import { postPath } from './links'

const PAGE = 25

/** What the assistant has written, newest slot first. */
export function AssistantPosts({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation(['common', 'posts', 'runs'])
  const format = useFormat()
  const [query] = useSearchParams()
  const cursor = query.get('cursor') ?? undefined
  const { data, isError, error, refetch } = useQuery(postsQuery(assistantId, PAGE, cursor))
  const whenText = (post: PostOut) => {
    const until = answerBy(post)
    return until ? t('posts:answerBy', { when: format.dayAndTime(until) }) : format.dayAndTime(post.planned_at ?? post.created_at)
  }
  if (isError) return <Failure title={t('runs:live.postsFailed')} problem={error} onRetry={() => void refetch()} />
  if (!data) return <RowSkeletons rows={6} />
  return (
    <>
      <section className="panel" aria-label={t('runs:live.postsLabel')}>
        {data.items.length === 0 ? (
          <p className="panel-note">{t('runs:live.postsEmpty')}</p>
        ) : (
          <ul className="rows plain-list">
            {data.items.map((post) => (
              <li key={post.id} className="postrow">
                {post.files[0] && <Thumb file={post.files[0]} />}
                <div className="grow two-lines">
                  <Link className="run-name clip" to={postPath(post.id)}>
                    {post.topic_title || post.content.trim() || t('posts:noText')}
                  </Link>
                  <small className="factline">
                    <ChannelIcons channels={post.deliveries.map(({ channel }) => channel)} size={14} />
                    <span className="num">{whenText(post)}</span>
                  </small>
                </div>
                <PostBadge post={post} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <CursorPager
        label={t('runs:live.pages')}
        newest={t('runs:live.newest')}
        older={t('runs:live.older')}
        cursor={cursor}
        nextCursor={data.next_cursor}
      />
    </>
  )
}
