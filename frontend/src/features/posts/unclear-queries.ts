import { queryOptions } from '@tanstack/react-query'
import { listPostsOptions, listPostsQueryKey } from '@/api/@tanstack/react-query.gen'
import { listPosts } from '@/api/sdk.gen'
import type { ListPostsData, PostOut, PostPage } from '@/api/types.gen'
import { tagQueryKey } from '@/lib/cursor-pages'
import { LARGEST_PAGE } from '@/lib/unpaged-lists'
import { POSTS } from './api'

/** All posts with an unclear outcome that match the filters. */
export const unclearQuery = (query: ListPostsData['query']) =>
  queryOptions({
    queryKey: tagQueryKey(listPostsQueryKey({ query: { ...query, state: ['unknown'], page_size: LARGEST_PAGE } }), POSTS),
    queryFn: async ({ signal }) => {
      const posts: PostOut[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { data }: { data: PostPage } = await listPosts({
          query: { ...query, state: ['unknown'], page_size: LARGEST_PAGE, cursor },
          signal,
          throwOnError: true,
        })
        posts.push(...data.items)
        cursor = data.next_cursor
      }
      return posts
    },
  })

/** The number of posts with an unclear outcome that match the filters, also those that the list has not loaded. */
export const unclearCountQuery = (query: ListPostsData['query']) => {
  const options = { query: { ...query, state: ['unknown' as const], page_size: 1 } }
  return queryOptions({
    ...listPostsOptions(options),
    queryKey: tagQueryKey(listPostsQueryKey(options), POSTS),
    select: ({ total }) => total,
  })
}
