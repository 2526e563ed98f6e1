import { useTranslation } from 'react-i18next'
import { postStatus, publishedOf, type PostFacts } from './post-status'
import { StatusBadge } from './status'

interface PostBadgeProps {
  post: PostFacts
  /** The planned time, shown for scheduled posts. */
  at?: string | null
}

/** The status of a post; of one that is published on some of its channels only, on how many. */
export function PostBadge({ post, at }: PostBadgeProps) {
  const { t } = useTranslation()
  const status = postStatus(post)
  return <StatusBadge status={status} label={status === 'partly' ? t('status.partlyOf', publishedOf(post)) : undefined} at={at} />
}
