import {
  answerFirstCommentMutation,
  cancelPostMutation,
  createPostMutation,
  duplicatePostMutation,
  editPostMutation,
  listAccountsOptions,
  listApprovalsOptions,
  listChannelsOptions,
  listPostsInfiniteOptions,
  listPostsInfiniteQueryKey,
  listPostTagsOptions,
  readArticleOptions,
  readDeliveryLogOptions,
  readFreeMomentsOptions,
  readMediaOptions,
  readPostOptions,
  removePostMutation,
  retryPostMutation,
  sendPostAgainMutation,
} from '@/api/@tanstack/react-query.gen'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fitPost } from '@/api/sdk.gen'
import type { FitIn, ListPostsData } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import type { Problem } from '@/lib/problems'
import { usePostChange, useRefetchPosts } from '@/lib/refetch-posts'
import { fitOf, type Values } from '@/features/posts/composer/composer-values'

/** The tag in the keys of all queries that a change of a post refetches. */
export const POSTS = 'posts'
const PAGE_SIZE = 30

export const freeMomentsQuery = readFreeMomentsOptions()

/** The requests sent to networks for the post, and their responses. */
export const deliveryLogQuery = (postId: string) => readDeliveryLogOptions({ path: { post_id: postId } })

export const postQuery = (postId: string) => readPostOptions({ path: { post_id: postId } })

/** The posts that wait for approval, nearest deadline first. */
export const approvalsQuery = listApprovalsOptions()

export const accountsQuery = listAccountsOptions()

export const channelsQuery = listChannelsOptions()

export const imageQuery = (imageId: string) => readMediaOptions({ path: { media_id: imageId } })

export const postTagsQuery = listPostTagsOptions()

export function usePosts(query: ListPostsData['query']) {
  const options = { query: { ...query, page_size: PAGE_SIZE } }
  return useInfiniteQuery({
    ...listPostsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listPostsInfiniteQueryKey(options), POSTS),
    placeholderData: keepPreviousData,
  })
}

/** Return the mutation that copies a post as a draft. */
export const useDuplicatePost = () => useMutation({ ...duplicatePostMutation(), onSettled: useRefetchPosts() })

/** Return the mutation that sends deliveries with an unknown outcome again, unchanged. */
export const useSendAgain = () => useMutation({ ...sendPostAgainMutation(), onSettled: useRefetchPosts() })

/** Return the mutation that answers the question about a first comment; `onError` is called on other pages, too. */
export const useAnswerComment = (onError: (problem: Problem) => void) =>
  useMutation({ ...answerFirstCommentMutation(), onError, onSettled: useRefetchPosts() })

/** Return the mutation that deletes a post at its networks, in the background. */
export const useRemovePost = () => useMutation({ ...removePostMutation(), onSettled: useRefetchPosts() })

/** Return the mutation that cancels a scheduled post, which stays as a draft. */
export const useCancelPost = () => useMutation({ ...cancelPostMutation(), ...usePostChange() })

/** Return the mutation that publishes a post again on the channels that failed. */
export const useRetryPost = () => useMutation({ ...retryPostMutation(), ...usePostChange() })

/** The article that a post announces. */
export const announcedQuery = (articleId: string) => readArticleOptions({ path: { article_id: articleId } })

export const useCreatePost = () => useMutation({ ...createPostMutation(), onSettled: useRefetchPosts() })

export const useEditPost = () => useMutation({ ...editPostMutation(), ...usePostChange() })

const TYPING_PAUSE = 300 // ms without a keystroke before a post is checked

const fitQuery = (body: FitIn) =>
  queryOptions({
    queryKey: ['fit', body],
    queryFn: async ({ signal }) => (await fitPost({ body, signal })).data,
    enabled: body.account_ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000, // ms: each pause in typing makes another check
  })

/** Return a function that has the server check a post as it is now, or returns the check that is there. It fails at once. */
export function useCheckFit() {
  const queryClient = useQueryClient()
  return async (values: Values, post_id: string | null) => {
    const query = fitQuery(fitOf(values, post_id))
    // a command must not join the check of the page, which waits while offline and is retried
    await queryClient.cancelQueries({ queryKey: query.queryKey, exact: true })
    return queryClient.fetchQuery({ ...query, networkMode: 'always', retry: false })
  }
}

/** Return the server's check of the post by the rules of each account, after a pause in typing. */
export function useFit(values: Values, post_id: string | null) {
  const [debounced] = useDebouncedValue(JSON.stringify(fitOf(values, post_id)), TYPING_PAUSE)
  const body = JSON.parse(debounced) as FitIn
  const fit = useQuery(fitQuery(body))
  // an address that the server refuses is shown at its field, and the post is checked without it
  const failed = body.link !== null && fit.isError
  const withoutLink = useQuery({ ...fitQuery({ ...body, link: null }), enabled: failed && body.account_ids.length > 0 })
  const hasBadLink = failed && withoutLink.isSuccess
  return { ...(hasBadLink ? withoutLink : fit), hasBadLink }
}
