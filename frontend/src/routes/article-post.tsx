import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { Announcements } from '@/features/posts/detail/announcements'
import type { ArticleOut } from '@/api/types.gen'
import { AtSite, TakeDown } from '@/features/articles/at-site'
import { postQuery } from '@/features/posts/api'
import { DeliveryList } from '@/features/posts/detail/delivery-list'
import { PostActions } from '@/features/posts/detail/post-actions'
import { RefusedDialog } from '@/features/posts/list/refused-dialog'
import { useBulk } from '@/features/posts/list/use-bulk'
import { useDelete } from '@/features/posts/use-delete'

/** The decisions on an article and its deliveries, with the components of posts. */
export function ArticlePost({ article }: { article: ArticleOut }) {
  const { t } = useTranslation(['common', 'articles'])
  const post = useQuery(postQuery(article.id))
  if (post.data)
    return (
      <>
        {article.at_site && <AtSite article={article} at={article.at_site} />}
        <PostActions post={post.data} isSiteAway={article.site_state !== 'connected'} />
        {post.data.deliveries.length > 0 && <DeliveryList post={post.data} />}
        <Announcements article={post.data} hasSummary={article.fields.summary.trim() !== ''} />
      </>
    )
  if (post.isError)
    return <Failure title={t('articles:editor.partsFailed')} problem={post.error} onRetry={() => void post.refetch()} />
  return <RowSkeletons rows={2} />
}

/** The deletion of an article, which asks whether to delete it at the site too. */
export function ArticleDelete({ article, onDeleted }: { article: ArticleOut; onDeleted: () => void }) {
  const { t } = useTranslation(['common', 'posts'])
  const post = useQuery(postQuery(article.id)).data
  const bulk = useBulk(() => undefined)
  const deleting = useDelete(bulk, onDeleted)
  return (
    <>
      {deleting.dialog}
      <RefusedDialog bulk={bulk} />
      <TakeDown article={article} />
      <Button
        variant="default"
        leftSection={<IconTrash size={15} aria-hidden />}
        loading={bulk.pending}
        disabled={!post}
        onClick={() => post && deleting.start([post])}
      >
        {t('posts:delete')}
      </Button>
    </>
  )
}
