import { useQueryClient } from '@tanstack/react-query'

/** Where posts are told of: their pages, live pages, the dashboard, the navigation. */
const TOLD_OF = ['posts', 'assistants', 'overview']

/** After a person's word on a post: asks again for all that tells of it. */
export function useRefetchPosts() {
  const queryClient = useQueryClient()
  return () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => {
        const [key] = queryKey as [{ tags?: readonly string[] }?]
        return key?.tags?.some((tag) => TOLD_OF.includes(tag)) ?? false
      },
    })
}
