import type { TopicFeedOut } from '@/api/types.gen'

/** Return the feed's title, else its address without the scheme. */
export const nameOf = ({ title, address }: Pick<TopicFeedOut, 'title' | 'address'>): string =>
  title || address.replace(/^https?:\/\//, '')
