import { useMutation, useQueryClient } from '@tanstack/react-query'
import { movePostMutation, publishPostMutation, readPostQueryKey } from '@/api/@tanstack/react-query.gen'
import type { PostChangeOut } from '@/api/types.gen'
import { withTags } from './query-tags'

/** Tags of all queries with data of posts: pages of posts and articles, calendar, live pages, dashboard, navigation. */
export const POST_TAGS = ['posts', 'articles', 'websites', 'calendar', 'approvals', 'assistants', 'overview']

/** Return a function that fetches all data of posts again, after a user's action on a post. */
export function useRefetchPosts() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(...POST_TAGS))
}

/**
 * Return the callbacks of a mutation that changes one post. The answer is shown at once: a user's next action may come
 * before the post is fetched again, and the server refuses an action on an older version.
 */
export function usePostChange() {
  const queryClient = useQueryClient()
  return {
    onSuccess: ({ post }: PostChangeOut) =>
      queryClient.setQueryData(readPostQueryKey({ path: { post_id: post.id } }), post),
    onSettled: useRefetchPosts(),
  }
}

/** Return the mutation that moves a scheduled post or article to another time, or publishes it now. */
export const useMovePost = () => useMutation({ ...movePostMutation(), ...usePostChange() })

/** Return the mutation that schedules a draft of a post or article, or publishes it now. */
export const usePublishPost = () => useMutation({ ...publishPostMutation(), ...usePostChange() })
