import { useQueryClient } from '@tanstack/react-query'
import { withTags } from './query-tags'

/** Where posts are told of: their pages, live pages, the dashboard, the navigation. */
const TOLD_OF = ['posts', 'assistants', 'overview']

/** After a person's word on a post: asks again for all that tells of it. */
export function useRefetchPosts() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(...TOLD_OF))
}
