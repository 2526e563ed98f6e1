import { useQueryClient } from '@tanstack/react-query'
import { withTags } from './query-tags'

/** Tags of all queries with data of posts: pages of posts and articles, calendar, live pages, dashboard, navigation. */
const TOLD_OF = ['posts', 'articles', 'websites', 'calendar', 'approvals', 'assistants', 'overview']

/** Return a function that fetches all data of posts again, after a user's action on a post. */
export function useRefetchPosts() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(...TOLD_OF))
}
