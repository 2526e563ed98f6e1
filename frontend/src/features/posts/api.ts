import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import {
  cancelPostMutation,
  decideDeliveryMutation,
  duplicatePostMutation,
  listAssistantsOptions,
  listPostsInfiniteOptions,
  listPostsInfiniteQueryKey,
  movePostMutation,
  publishPostMutation,
  readPostOptions,
  retryPostMutation,
} from '@/api/@tanstack/react-query.gen'
import type { PostStatus } from '@/api/types.gen'
import { byCursor, tagged } from '@/lib/cursor-pages'
import { useRefetchPosts } from '@/lib/refetch-posts'

const TAG = 'posts'
const PAGE_SIZE = 30
const ASSISTANTS = 200 // as many as one page holds

export const postQuery = (postId: string) => readPostOptions({ path: { post_id: postId } })

/** For the filter. */
export const assistantsQuery = listAssistantsOptions({ query: { page_size: ASSISTANTS } })

export interface PostFilters {
  search: string
  status: PostStatus | null
  assistant_id: string | null
}

export function usePosts(filters: PostFilters) {
  const options = { query: { ...filters, page_size: PAGE_SIZE } }
  return useInfiniteQuery({
    ...listPostsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listPostsInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

/** As a draft of one's own. */
export const useDuplicatePost = () => useMutation({ ...duplicatePostMutation(), onSettled: useRefetchPosts() })

/** A person's answer for a delivery whose outcome the network could not tell. */
export const useDecideDelivery = () => useMutation({ ...decideDeliveryMutation(), onSettled: useRefetchPosts() })

export const useMovePost = () => useMutation({ ...movePostMutation(), onSettled: useRefetchPosts() })

/** It stays as a draft. */
export const useCancelPost = () => useMutation({ ...cancelPostMutation(), onSettled: useRefetchPosts() })

/** A draft goes out after all. */
export const usePublishPost = () => useMutation({ ...publishPostMutation(), onSettled: useRefetchPosts() })

/** Only the channels that failed. */
export const useRetryPost = () => useMutation({ ...retryPostMutation(), onSettled: useRefetchPosts() })
