import { queryOptions } from '@tanstack/react-query'
import { listPostsOptions, listPostsQueryKey } from '@/api/@tanstack/react-query.gen'
import { listPosts } from '@/api/sdk.gen'
import type { ListPostsData, PostOut, PostPage } from '@/api/types.gen'
import { tagQueryKey } from '@/lib/cursor-pages'
import { LARGEST_PAGE } from '@/lib/unpaged-lists'
import { POSTS } from './api'

/** All that the filters let through and whose outcome is unclear. */
export const unclearQuery = (query: ListPostsData['query']) =>
  queryOptions({
    queryKey: tagQueryKey(listPostsQueryKey({ query: { ...query, state: ['unknown'], page_size: LARGEST_PAGE } }), POSTS),
    queryFn: async ({ signal }) => {
      const found: PostOut[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { data }: { data: PostPage } = await listPosts({
          query: { ...query, state: ['unknown'], page_size: LARGEST_PAGE, cursor },
          signal,
          throwOnError: true,
        })
        found.push(...data.items)
        cursor = data.next_cursor
      }
      return found
    },
  })

/** How many of what the filters let through are unclear, also of what the list has not loaded yet. */
export const unclearCountQuery = (query: ListPostsData['query']) => {
  const options = { query: { ...query, state: ['unknown' as const], page_size: 1 } }
  return queryOptions({
    ...listPostsOptions(options),
    queryKey: tagQueryKey(listPostsQueryKey(options), POSTS),
    select: ({ total }) => total,
  })
}
