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
  cancelTemplateRunMutation,
  createTemplateMutation,
  deleteTemplateMutation,
  deleteTemplateRunMutation,
  importTemplatesMutation,
  listCardPresetsOptions,
  listModelsOptions,
  listTemplateRunsInfiniteOptions,
  listTemplateRunsInfiniteQueryKey,
  listTemplateRunsOptions,
  listTemplateRunsQueryKey,
  listTemplatesInfiniteOptions,
  listTemplatesInfiniteQueryKey,
  listTemplateTagsOptions,
  listTemplateVersionsInfiniteOptions,
  listTemplateVersionsInfiniteQueryKey,
  publishTemplateMutation,
  readCardOptionsOptions,
  readTemplateOptions,
  readTemplateRunOptions,
  readTemplateRunQueryKey,
  restoreTemplateVersionMutation,
  runTemplateMutation,
  unpublishTemplateMutation,
  updateTemplateMutation,
} from '@/api/@tanstack/react-query.gen'
import { checkTemplate, previewCard } from '@/api/sdk.gen'
import type { CardIn, ListTemplatesData, TemplateOut, TemplateType, TryoutOut } from '@/api/types.gen'
import { byCursor, tagged } from '@/lib/cursor-pages'
import { isOpen } from './run-view'

const TAG = 'templates'
/** A try-out at work changes several times a second: only what shows it is asked for again. */
const RUN_TAG = 'template-runs'
const HISTORY_TAG = 'template-history'
const HISTORY_PAGE = 10
const VERSIONS_PAGE = 20
const POLL = 15_000 // ms: in case the live stream is away

const withTag = (key: readonly unknown[], tag: string) => {
  const [first] = key as [{ tags?: readonly string[] }?]
  return first?.tags?.includes(tag) ?? false
}

const refetch = (queryClient: QueryClient, tag: string) =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => withTag(queryKey, tag) })

export type TemplateFilters = Omit<NonNullable<ListTemplatesData['query']>, 'page_size' | 'cursor'>

export const templateQuery = (templateId: string) => readTemplateOptions({ path: { template_id: templateId } })

export function useTemplates(filters: TemplateFilters) {
  const options = { query: filters }
  return useInfiniteQuery({
    ...listTemplatesInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listTemplatesInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

export const templateTagsQuery = listTemplateTagsOptions()

/** What the server makes of a body while it is typed. */
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

/** What this server can write and draw with. */
export const modelsQuery = { ...listModelsOptions(), staleTime: 5 * 60_000 }

export const cardOptionsQuery = { ...readCardOptionsOptions(), staleTime: Infinity }

export const cardPresetsQuery = listCardPresetsOptions()

/** The card as the server would draw it now. */
export const cardPreviewQuery = (body: CardIn) =>
  queryOptions({
    queryKey: ['card-preview', body],
    queryFn: async ({ signal }) => (await previewCard({ body, signal })).data,
    staleTime: Infinity, // the same words and settings give the same card
    gcTime: 60_000, // ms: each is a picture
    retry: false,
    placeholderData: keepPreviousData,
  })

/** Newest first. */
export function useVersions(templateId: string) {
  const options = { path: { template_id: templateId }, query: { page_size: VERSIONS_PAGE } }
  return useInfiniteQuery({
    ...listTemplateVersionsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listTemplateVersionsInfiniteQueryKey(options), TAG),
  })
}

const runKey = (templateId: string, runId: string) =>
  tagged(readTemplateRunQueryKey({ path: { template_id: templateId, run_id: runId } }), RUN_TAG)

/** One try-out, followed while it is at work. */
export const runQuery = (templateId: string, runId: string) => ({
  ...readTemplateRunOptions({ path: { template_id: templateId, run_id: runId } }),
  queryKey: runKey(templateId, runId),
  refetchInterval: ({ state: { data } }: { state: { data?: TryoutOut } }) => (data && isOpen(data) ? POLL : false),
})

/** The last one, whose inputs the next one starts with, and how many there are. */
export function useLastRun(templateId: string | undefined) {
  const options = { path: { template_id: templateId ?? '' }, query: { page_size: 1 } }
  return useQuery({
    ...listTemplateRunsOptions(options),
    queryKey: tagged(listTemplateRunsQueryKey(options), HISTORY_TAG),
    enabled: templateId !== undefined,
  })
}

/** Try-outs that a sample can be taken from stand among these. */
export function useRecentRuns(templateId: string, enabled: boolean) {
  const options = { path: { template_id: templateId }, query: { page_size: 50 } }
  return useQuery({
    ...listTemplateRunsOptions(options),
    queryKey: tagged(listTemplateRunsQueryKey(options), HISTORY_TAG),
    enabled,
  })
}

export function useRuns(templateId: string, search: string) {
  const options = { path: { template_id: templateId }, query: { search, page_size: HISTORY_PAGE } }
  return useInfiniteQuery({
    ...listTemplateRunsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listTemplateRunsInfiniteQueryKey(options), HISTORY_TAG),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.pages.some((page) => page.items.some(isOpen)) ? POLL : false),
  })
}

export function useRefetchHistory() {
  const queryClient = useQueryClient()
  return () => refetch(queryClient, HISTORY_TAG)
}

export function useStartRun() {
  const queryClient = useQueryClient()
  return useMutation({
    ...runTemplateMutation(),
    onSuccess: (run) => {
      queryClient.setQueryData(runKey(run.template_id, run.id), run)
      void refetch(queryClient, HISTORY_TAG)
    },
  })
}

export function useCancelRun() {
  const queryClient = useQueryClient()
  return useMutation({
    ...cancelTemplateRunMutation(),
    onSuccess: (run) => queryClient.setQueryData(runKey(run.template_id, run.id), run),
    // refused because it is over: then the screen is behind
    onSettled: (_data, _error, { path }) => {
      void queryClient.invalidateQueries({ queryKey: runKey(path.template_id, path.run_id) })
      return refetch(queryClient, HISTORY_TAG)
    },
  })
}

export function useDeleteRun() {
  const queryClient = useQueryClient()
  return useMutation({
    ...deleteTemplateRunMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: runKey(path.template_id, path.run_id) })
      return refetch(queryClient, HISTORY_TAG)
    },
  })
}
