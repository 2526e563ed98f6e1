import { useTranslation } from 'react-i18next'
import type { ArticleRowOut } from '@/api/types.gen'
import { PostBadge } from '@/components/post-badge'
import { StatusBadge } from '@/components/status'

type Article = Pick<ArticleRowOut, 'status' | 'deliveries' | 'approval' | 'acknowledged_at' | 'being_written' | 'site_state' | 'planned_at'>

/** The status of an article. An article that is being written is not a draft yet. */
export function ArticleBadge({ article }: { article: Article }) {
  const { t } = useTranslation()
  if (!article.being_written) return <PostBadge post={article} at={article.planned_at} />
  return article.site_state === 'needs_reconnecting' ? (
    <StatusBadge status="held" />
  ) : (
    <StatusBadge status="publishing" label={t('status.writing')} />
  )
}
