import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { generatePath, Navigate, useParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { postQuery } from '@/features/posts/api'
import { PostDetail } from '@/features/posts/detail/post-detail'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'

export function PostRoute() {
  const { t } = useTranslation(['common', 'posts'])
  const { socialMediaPostId = '' } = useParams()
  const post = useQuery(postQuery(socialMediaPostId))
  // it may have been deleted since
  if (isMissing(post.error)) return <NotFound />
  // whatever names posts of all sorts leads here
  if (post.data?.is_article) return <Navigate to={generatePath(paths.article, { postId: socialMediaPostId })} replace />
  if (post.data) return <PostDetail key={socialMediaPostId} post={post.data} />
  return (
    <>
      <PageHeader crumbs={[{ label: t('posts:title'), to: paths.posts }]} title={t('posts:post')} />
      {post.isError ? (
        <Failure title={t('posts:readFailed')} problem={post.error} onRetry={() => void post.refetch()} />
      ) : (
        <RowSkeletons />
      )}
    </>
  )
}
