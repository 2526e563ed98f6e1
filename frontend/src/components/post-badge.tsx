import { useTranslation } from 'react-i18next'
import { postStatus, publishedOf, type PostFacts } from './post-status'
import { StatusBadge } from './status'

interface PostBadgeProps {
  post: PostFacts
  /** The planned time, shown for scheduled posts. */
  at?: string | null
}

/** The status of a post, with the number of channels on which it is published while others failed or are still to come. */
export function PostBadge({ post, at }: PostBadgeProps) {
  const { t } = useTranslation()
  const status = postStatus(post)
  const counts = publishedOf(post)
  const label =
    status === 'partly' ? t('status.partlyOf', counts) : status === 'publishing' && counts.total > 1 ? t('status.publishingOf', counts) : undefined
  return <StatusBadge status={status} label={label} at={at} />
}
