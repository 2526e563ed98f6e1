import { useQueryClient } from '@tanstack/react-query'
import { withTags } from './query-tags'

/** Where posts are told of: their pages and those of articles, which are posts too, the calendar, live pages, the dashboard, the navigation. */
const TOLD_OF = ['posts', 'articles', 'websites', 'calendar', 'approvals', 'assistants', 'overview']

/** After a person's word on a post: asks again for all that tells of it. */
export function useRefetchPosts() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(...TOLD_OF))
}
