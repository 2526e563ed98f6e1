import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import {
  cancelTryoutMutation,
  createTemplateMutation,
  deleteTemplateMutation,
  deleteTryoutMutation,
  importTemplatesMutation,
  listCardPresetsOptions,
  listModelsOptions,
  listTemplatesInfiniteOptions,
  listTemplatesInfiniteQueryKey,
  listTemplateTagsOptions,
  listTemplateVersionsInfiniteOptions,
  listTemplateVersionsInfiniteQueryKey,
  listTryoutsInfiniteOptions,
  listTryoutsInfiniteQueryKey,
  listTryoutsOptions,
  listTryoutsQueryKey,
  publishTemplateMutation,
  readTemplateOptions,
  readTryoutOptions,
  readTryoutQueryKey,
  restoreTemplateVersionMutation,
  startTryoutMutation,
  unpublishTemplateMutation,
  updateTemplateMutation,
} from '@/api/@tanstack/react-query.gen'
import { checkTemplate, previewCardSequence, suggestCardPages } from '@/api/sdk.gen'
import type { CardPagesIn, CardSettingsModel, ListTemplatesData, TemplateOut, TemplateType, TryoutOut } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import { isAtWork } from '@/lib/generation'
import { withTags } from '@/lib/query-tags'

const TAG = 'templates'
/** The tag of try-outs: a running one changes several times a second, so only what shows it is refetched. */
const TRYOUT_TAG = 'tryouts'
const HISTORY_TAG = 'template-history'
const HISTORY_PAGE = 10
const VERSIONS_PAGE = 20
const POLL = 15_000 // ms: in case the live stream is away

const refetch = (queryClient: QueryClient, tag: string) =>
  queryClient.invalidateQueries(withTags(tag))

export type TemplateFilters = Omit<NonNullable<ListTemplatesData['query']>, 'page_size' | 'cursor'>

export const templateQuery = (templateId: string) => readTemplateOptions({ path: { template_id: templateId } })

export function useTemplates(filters: TemplateFilters) {
  const options = { query: filters }
  return useInfiniteQuery({
    ...listTemplatesInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listTemplatesInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

export const templateTagsQuery = listTemplateTagsOptions()

/** The server's check of a body while it is typed. */
export const templateCheckQuery = (type: TemplateType, body: string) =>
  queryOptions({
      queryKey: ['template-check', type, body],
      queryFn: async ({ signal }) => (await checkTemplate({ body: { type, body }, signal })).data,
      staleTime: Infinity, // the same body always gets the same answer
      placeholderData: keepPreviousData,
    })

function useSaved() {
  const queryClient = useQueryClient()
  return async (saved: TemplateOut) => {
    queryClient.setQueryData(templateQuery(saved.id).queryKey, saved)
    await refetch(queryClient, TAG)
  }
}

export const useCreateTemplate = () => useMutation({ ...createTemplateMutation(), onSuccess: useSaved() })

export const useUpdateTemplate = () => useMutation({ ...updateTemplateMutation(), onSuccess: useSaved() })

export const useRestoreVersion = () => useMutation({ ...restoreTemplateVersionMutation(), onSuccess: useSaved() })

export const usePublishTemplate = () => useMutation({ ...publishTemplateMutation(), onSuccess: useSaved() })

export const useUnpublishTemplate = () => useMutation({ ...unpublishTemplateMutation(), onSuccess: useSaved() })

export function useImportTemplates() {
  const queryClient = useQueryClient()
  return useMutation({ ...importTemplatesMutation(), onSuccess: () => refetch(queryClient, TAG) })
}

export function useDeleteTemplate() {
  const queryClient = useQueryClient()
  return useMutation({
    ...deleteTemplateMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: templateQuery(path.template_id).queryKey })
      return refetch(queryClient, TAG)
    },
  })
}

/** The models that this server offers. */
export const modelsQuery = { ...listModelsOptions(), staleTime: 5 * 60_000 }

export const cardPresetsQuery = listCardPresetsOptions()

/** The pages of a carousel, rendered by the server without a model call; empty if the text is too short for pages. */
export const pagesPreviewQuery = (text: CardPagesIn, settings: CardSettingsModel) =>
  queryOptions({
    queryKey: ['card-pages-preview', text, settings],
    queryFn: async ({ signal }) => {
      const pages = (await suggestCardPages({ body: text, signal })).data
      return pages.length === 0 ? [] : (await previewCardSequence({ body: { pages, settings }, signal })).data
    },
    staleTime: Infinity,
    gcTime: 60_000, // ms: each is several pictures
    retry: false,
    placeholderData: keepPreviousData,
  })

/** Return the versions of a template, newest first. */
export function useVersions(templateId: string) {
  const options = { path: { template_id: templateId }, query: { page_size: VERSIONS_PAGE } }
  return useInfiniteQuery({
    ...listTemplateVersionsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listTemplateVersionsInfiniteQueryKey(options), TAG),
  })
}

const tryoutKey = (templateId: string, tryoutId: string) =>
  tagQueryKey(readTryoutQueryKey({ path: { template_id: templateId, tryout_id: tryoutId } }), TRYOUT_TAG)

/** A try-out, refetched while it runs. */
export const tryoutQuery = (templateId: string, tryoutId: string) => ({
  ...readTryoutOptions({ path: { template_id: templateId, tryout_id: tryoutId } }),
  queryKey: tryoutKey(templateId, tryoutId),
  refetchInterval: ({ state: { data } }: { state: { data?: TryoutOut } }) => (data && isAtWork(data) ? POLL : false),
})

/** Return the last try-out, whose inputs the next one starts with, and the number of all. */
export function useLastTryout(templateId: string | undefined) {
  const options = { path: { template_id: templateId ?? '' }, query: { page_size: 1 } }
  return useQuery({
    ...listTryoutsOptions(options),
    queryKey: tagQueryKey(listTryoutsQueryKey(options), HISTORY_TAG),
    enabled: templateId !== undefined,
  })
}

/** Return the recent try-outs, from which a sample can be chosen. */
export function useRecentTryouts(templateId: string, enabled: boolean) {
  const options = { path: { template_id: templateId }, query: { page_size: 50 } }
  return useQuery({
    ...listTryoutsOptions(options),
    queryKey: tagQueryKey(listTryoutsQueryKey(options), HISTORY_TAG),
    enabled,
  })
}

export function useTryouts(templateId: string, search: string) {
  const options = { path: { template_id: templateId }, query: { search, page_size: HISTORY_PAGE } }
  return useInfiniteQuery({
    ...listTryoutsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listTryoutsInfiniteQueryKey(options), HISTORY_TAG),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.pages.some((page) => page.items.some(isAtWork)) ? POLL : false),
  })
}

export function useRefetchHistory() {
  const queryClient = useQueryClient()
  return () => refetch(queryClient, HISTORY_TAG)
}

export function useStartTryout() {
  const queryClient = useQueryClient()
  return useMutation({
    ...startTryoutMutation(),
    onSuccess: (tryout) => {
      queryClient.setQueryData(tryoutKey(tryout.template_id, tryout.id), tryout)
      void refetch(queryClient, HISTORY_TAG)
    },
  })
}

export function useCancelTryout() {
  const queryClient = useQueryClient()
  return useMutation({
    ...cancelTryoutMutation(),
    onSuccess: (tryout) => queryClient.setQueryData(tryoutKey(tryout.template_id, tryout.id), tryout),
    // refused because it has ended: the screen is out of date
    onSettled: (_data, _error, { path }) => {
      void queryClient.invalidateQueries({ queryKey: tryoutKey(path.template_id, path.tryout_id) })
      return refetch(queryClient, HISTORY_TAG)
    },
  })
}

export function useDeleteTryout() {
  const queryClient = useQueryClient()
  return useMutation({
    ...deleteTryoutMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: tryoutKey(path.template_id, path.tryout_id) })
      return refetch(queryClient, HISTORY_TAG)
    },
  })
}
