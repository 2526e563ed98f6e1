import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { listTopicTreesInfiniteOptions, listTopicTreesInfiniteQueryKey } from '@/api/@tanstack/react-query.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'

/** The tag of what lists trees. */
export const TREES = 'topics'

export function useTopicTrees(search: string) {
  const options = { query: { search } }
  return useInfiniteQuery({
    ...listTopicTreesInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listTopicTreesInfiniteQueryKey(options), TREES),
    placeholderData: keepPreviousData,
  })
}
