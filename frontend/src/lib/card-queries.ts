import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readCardOptionsOptions } from '@/api/@tanstack/react-query.gen'
import { previewCard } from '@/api/sdk.gen'
import type { CardIn } from '@/api/types.gen'

/** The layouts, colours and fonts that cards can have. */
export const cardOptionsQuery = { ...readCardOptionsOptions(), staleTime: Infinity }

/** The card, rendered by the server. */
export const cardPreviewQuery = (card: CardIn) =>
  queryOptions({
    queryKey: ['card-preview', card],
    queryFn: async ({ signal }) => (await previewCard({ body: card, signal })).data,
    staleTime: Infinity, // the same words and settings give the same card
    gcTime: 60_000, // ms: each is a picture
    retry: false,
    placeholderData: keepPreviousData,
  })
