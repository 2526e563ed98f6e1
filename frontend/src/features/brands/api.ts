import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  createBrandMutation,
  deleteBrandMutation,
  listBrandUsesOptions,
  listPostsInfiniteOptions,
  listPostsInfiniteQueryKey,
  readBrandOptions,
  updateBrandMutation,
} from '@/api/@tanstack/react-query.gen'
import { draftBrand } from '@/api/sdk.gen'
import type { BrandDraftIn, BrandDraftOut, BrandOut } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import type { Problem } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'

const TAG = 'brands'
const PAGE_SIZE = 20

export const brandQuery = (brandId: string) => readBrandOptions({ path: { brand_id: brandId } })

export const brandUsesQuery = (brandId: string) => listBrandUsesOptions({ path: { brand_id: brandId } })

const refetch = (queryClient: QueryClient) => queryClient.invalidateQueries(withTags(TAG))

function useSaved() {
  const queryClient = useQueryClient()
  return async (saved: BrandOut) => {
    queryClient.setQueryData(brandQuery(saved.id).queryKey, saved)
    await refetch(queryClient)
  }
}

export const useCreateBrand = () => useMutation({ ...createBrandMutation(), onSuccess: useSaved() })

export const useUpdateBrand = () => useMutation({ ...updateBrandMutation(), onSuccess: useSaved() })

export function useDeleteBrand() {
  const queryClient = useQueryClient()
  return useMutation({
    ...deleteBrandMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: brandQuery(path.brand_id).queryKey })
      return refetch(queryClient)
    },
  })
}

/** Let a model draft a brand. Nothing is stored. */
export const useDraftBrand = () =>
  useMutation<BrandDraftOut, Problem, { body: BrandDraftIn; signal: AbortSignal }>({
    mutationFn: async ({ body, signal }) => (await draftBrand({ body, signal })).data,
  })

/** Return the published posts, newest first. */
export function usePublishedPosts(search: string) {
  const options = { query: { search, status: ['published' as const], page_size: PAGE_SIZE } }
  return useInfiniteQuery({
    ...listPostsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listPostsInfiniteQueryKey(options), 'posts'),
    placeholderData: keepPreviousData,
  })
}
