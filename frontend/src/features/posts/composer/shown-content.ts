import type { ChannelLimitsOut, PostOut } from '@/api/types.gen'

/** Return a post or the composer's values without what a network does not show. Links have a place at each network. */
export const shownContent = <Post extends Pick<PostOut, 'first_comment'>>(post: Post, limits: ChannelLimitsOut | undefined): Post => ({
  ...post,
  first_comment: limits && limits.max_first_comment > 0 ? post.first_comment : '',
})
