import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { createPostMutation, editPostMutation } from '@/api/@tanstack/react-query.gen'
import { fitPost } from '@/api/sdk.gen'
import type { FitIn } from '@/api/types.gen'
import { useRefetchPosts } from '@/lib/refetch-posts'
import type { Values } from './values'

const REST = 300 // ms without a key before the server is asked

export const useCreatePost = () => useMutation({ ...createPostMutation(), onSettled: useRefetchPosts() })

export const useEditPost = () => useMutation({ ...editPostMutation(), onSettled: useRefetchPosts() })

const fitQuery = (asked: FitIn) =>
  queryOptions({
    queryKey: ['fit', asked],
    queryFn: async ({ signal }) => (await fitPost({ body: asked, signal })).data,
    enabled: asked.account_ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000, // ms: there is one for each rest of the fingers
  })

/** What the server would say of each account's rules, once the fingers rest. */
export function useFit({ content, variants, files, account_ids }: Values) {
  const [asked] = useDebouncedValue(JSON.stringify({ content, variants, images: files.length, account_ids }), REST)
  return useQuery(fitQuery(JSON.parse(asked) as FitIn))
}
