import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  copyMarketTemplateMutation,
  listMarketplaceInfiniteOptions,
  listMarketplaceInfiniteQueryKey,
  listMarketplaceTagsOptions,
  readMarketTemplateOptions,
} from '@/api/@tanstack/react-query.gen'
import { previewCard, previewCardSequence, suggestCardPages } from '@/api/sdk.gen'
import type { CardIn, CardSettingsModel, ListMarketplaceData, ListMarketplaceTagsData } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import { withTags } from '@/lib/query-tags'
import { titleOf } from './sample'

const TAG = 'marketplace'
const PAGE = 24

export type MarketFilters = Omit<NonNullable<ListMarketplaceData['query']>, 'page_size' | 'cursor'>

export function useMarketplace(filters: MarketFilters) {
  const options = { query: { ...filters, page_size: PAGE } }
  return useInfiniteQuery({
    ...listMarketplaceInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listMarketplaceInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

/** The tags of the templates that match the other filters, with their numbers. */
export const marketTagsQuery = (query: NonNullable<ListMarketplaceTagsData['query']>) => ({
  ...listMarketplaceTagsOptions({ query }),
  staleTime: 60_000, // ms
  placeholderData: keepPreviousData,
})

export const marketTemplateQuery = (templateId: string) => readMarketTemplateOptions({ path: { template_id: templateId } })

/** The sample card, rendered by the server. */
export const sampleCardQuery = (card: CardIn) =>
  queryOptions({
    queryKey: ['sample-card', card],
    queryFn: async ({ signal }) => (await previewCard({ body: card, signal })).data,
    staleTime: Infinity, // the same words and settings give the same card
    gcTime: 60_000, // ms: each is a picture
    retry: false,
  })

/** The pages of a carousel's sample, rendered by the server as a run without a model makes them. */
export const sampleCarouselQuery = (sample: string, settings: CardSettingsModel) =>
  queryOptions({
    queryKey: ['sample-carousel', sample, settings],
    queryFn: async ({ signal }) => {
      const title = titleOf(sample)
      const { data: pages } = await suggestCardPages({ body: { title, text: sample.slice(title.length).trim() }, signal })
      return (await previewCardSequence({ body: { pages, settings }, signal })).data
    },
    staleTime: Infinity, // the same words and settings give the same pages
    gcTime: 60_000, // ms: each is a picture
    retry: false,
  })

/** Return the mutation that makes a private copy and refetches the counts. */
export function useCopyTemplate() {
  const queryClient = useQueryClient()
  return useMutation({
    ...copyMarketTemplateMutation(),
    onSuccess: (_, { path }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: marketTemplateQuery(path.template_id).queryKey }),
        queryClient.invalidateQueries(withTags(TAG, 'templates')),
      ]),
  })
}
