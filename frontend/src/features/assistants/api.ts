import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  activateAssistantMutation,
  cancelDryRunMutation,
  createAssistantMutation,
  deactivateAssistantMutation,
  decideDeliveryMutation,
  deleteAssistantMutation,
  listAccountsOptions,
  listAssistantsOptions,
  listChannelsOptions,
  listAssistantsQueryKey,
  listPostsOptions,
  listRunsOptions,
  listWebsitesOptions,
  pauseAssistantMutation,
  readAssistantLiveOptions,
  readAssistantLiveQueryKey,
  readAssistantOptions,
  readAssistantOptionsOptions,
  readAssistantQueryKey,
  readDryRunOptions,
  readDryRunQueryKey,
  readHolidayCalendarOptions,
  readRunOptions,
  readSystemOptions,
  readTopicTreeOptions,
  resumeAssistantMutation,
  startDryRunMutation,
  updateAssistantMutation,
} from '@/api/@tanstack/react-query.gen'
import { checkTemplate, previewEnding, previewSchedule } from '@/api/sdk.gen'
import type { ActivationOut, AssistantLiveOut, AssistantOut, DryRunOut, EndingPreviewIn, ListRunsData, PageAssistantOut, PreparedRuns, RunState, ScheduleIn, TemplateOut } from '@/api/types.gen'
import type { Language } from '@/i18n/languages'
import { tagQueryKey } from '@/lib/cursor-pages'
import { isAtWork } from '@/lib/generation'
import { withTags } from '@/lib/query-tags'

const REFRESH = 15_000 // ms: events come at once, this is for what they miss

export interface ListFilter {
  search: string
  active?: boolean
  paused?: boolean
  cursor?: string
}

export const assistantsQuery = ({ search, active, paused, cursor }: ListFilter) => {
  const query = { search: search || undefined, active, paused, cursor }
  return {
    ...listAssistantsOptions({ query }),
    placeholderData: keepPreviousData,
  }
}

/** The number of assistants that match the filters. */
export const assistantCountQuery = ({ search, active, paused }: ListFilter) => ({
  ...listAssistantsOptions({ query: { search: search || undefined, active, paused, page_size: 1 } }),
  select: (page: PageAssistantOut) => page.total,
  placeholderData: keepPreviousData,
})

export const assistantQuery = (assistantId: string) => readAssistantOptions({ path: { assistant_id: assistantId } })

export const liveQuery = (assistantId: string) => ({
  ...readAssistantLiveOptions({ path: { assistant_id: assistantId } }),
  refetchInterval: REFRESH,
})

type RunsFilter = Omit<NonNullable<ListRunsData['query']>, 'search'>

export const runsQuery = (assistantId: string, filter: RunsFilter) => ({
  ...listRunsOptions({ path: { assistant_id: assistantId }, query: filter }),
  placeholderData: keepPreviousData,
})

/** A run with all its evidence. Its neighbours are the runs in the given state, or all runs. */
export const runQuery = (assistantId: string, runId: string, state: RunState | null) => ({
  ...readRunOptions({ path: { assistant_id: assistantId, run_id: runId }, query: { state: state ?? undefined } }),
  placeholderData: keepPreviousData,
})

export const postsQuery = (assistantId: string, pageSize: number, cursor?: string) => ({
  ...listPostsOptions({ query: { assistant_id: assistantId, page_size: pageSize, cursor } }),
  placeholderData: keepPreviousData,
})

export const systemQuery = readSystemOptions()
export const accountsQuery = listAccountsOptions()
export const channelsQuery = listChannelsOptions()
export const websitesQuery = listWebsitesOptions()

/** Defaults and limits of the form's fields on this server. */
export const optionsQuery = { ...readAssistantOptionsOptions(), staleTime: Infinity }

/** The regions of a country that have holidays of their own. */
export const holidayCalendarQuery = (country: string) => ({
  ...readHolidayCalendarOptions({ path: { country } }),
  staleTime: Infinity,
})

/** A text with its hashtags and link, by the rules of a run. */
export const endingQuery = (ending: EndingPreviewIn) =>
  queryOptions({
    queryKey: ['ending-preview', ending],
    queryFn: async ({ signal }) => (await previewEnding({ body: ending, signal })).data,
    placeholderData: keepPreviousData,
  })

/** The next ten occurrences and what is wrong with the schedule, from the function that the workflow uses. */
export const previewQuery = (schedule: ScheduleIn, language: Language) =>
  queryOptions({
      queryKey: ['schedule-preview', schedule, language],
      queryFn: async ({ signal }) => (await previewSchedule({ body: schedule, query: { language }, signal })).data,
      placeholderData: keepPreviousData,
    })

/** The variables of a template, and which of them Postloom fills in. */
export const templateCheckQuery = (template: Pick<TemplateOut, 'type' | 'body' | 'version_id'>) =>
  queryOptions({
      queryKey: ['template-check', template.version_id, template.type, template.body],
      queryFn: async ({ signal }) =>
        (await checkTemplate({ body: { type: template.type, body: template.body }, signal })).data,
      staleTime: Infinity, // a version never changes
    })

const LISTS = listAssistantsQueryKey()[0]._id

/** Change the assistant in the cached lists and pages that show it. */
function patch(queryClient: QueryClient, assistantId: string, change: (assistant: AssistantOut) => AssistantOut) {
  const patched = (assistant: AssistantOut) => (assistant.id === assistantId ? change(assistant) : assistant)
  queryClient.setQueriesData<PageAssistantOut>(
    { predicate: ({ queryKey }) => (queryKey[0] as { _id?: string } | undefined)?._id === LISTS },
    (page) => page && { ...page, items: page.items.map(patched) },
  )
  const options = { path: { assistant_id: assistantId } }
  queryClient.setQueryData<AssistantOut>(readAssistantQueryKey(options), (assistant) => assistant && patched(assistant))
  queryClient.setQueryData<AssistantLiveOut>(
    readAssistantLiveQueryKey(options),
    (live) => live && { ...live, assistant: patched(live.assistant) },
  )
}

/** Refetch assistants, and websites, which name their assistant. */
export const refetchAssistants = (queryClient: QueryClient) =>
  queryClient.invalidateQueries(withTags('assistants', 'websites'))

/** A change of an assistant's state, shown at once and reverted if the server refuses it. */
interface Switch {
  assistant: AssistantOut
  active: boolean
  /** What happens to prepared posts when it is switched off. */
  prepared?: PreparedRuns
}

export function useSwitch() {
  const queryClient = useQueryClient()
  const activate = activateAssistantMutation().mutationFn
  const deactivate = deactivateAssistantMutation().mutationFn
  return useMutation({
    mutationFn: async ({ assistant, active, prepared }: Switch, context): Promise<ActivationOut> => {
      if (!activate || !deactivate) throw new Error('the generated mutation has no function')
      const path = { assistant_id: assistant.id }
      return active ? activate({ path }, context) : deactivate({ path, query: { prepared } }, context)
    },
    onMutate: async ({ assistant, active }) => {
      // a response on its way would show the old state again
      await queryClient.cancelQueries({ queryKey: readAssistantQueryKey({ path: { assistant_id: assistant.id } }) })
      patch(queryClient, assistant.id, (assistant) => ({ ...assistant, active }))
    },
    onSuccess: ({ assistant }) => patch(queryClient, assistant.id, () => assistant),
    onError: (_, { assistant }) =>
      patch(queryClient, assistant.id, (assistant) => ({ ...assistant, active: assistant.active })),
    onSettled: () => refetchAssistants(queryClient),
  })
}

/**
 * Return a function that refetches the assistant and its dates, also after a refusal, since its state may have changed.
 */
function useRefetched() {
  const queryClient = useQueryClient()
  return { onSettled: () => refetchAssistants(queryClient) }
}

export const usePause = () => useMutation({ ...pauseAssistantMutation(), ...useRefetched() })
export const useResume = () => useMutation({ ...resumeAssistantMutation(), ...useRefetched() })

export function useCreateAssistant() {
  const queryClient = useQueryClient()
  return useMutation({ ...createAssistantMutation(), onSuccess: () => void refetchAssistants(queryClient) })
}

export function useUpdateAssistant() {
  const queryClient = useQueryClient()
  return useMutation({
    ...updateAssistantMutation(),
    onSuccess: ({ assistant }) => {
      patch(queryClient, assistant.id, () => assistant)
      void refetchAssistants(queryClient)
    },
  })
}

/**
 * Return the mutation that deletes an assistant. The caller leaves the assistant's page first and then refetches the
 * others, since the deleted one can't be read.
 */
export const useDeleteAssistant = () => useMutation(deleteAssistantMutation())

/** Return the mutation with the user's answer for a delivery with an unknown outcome. */
export function useDecideDelivery() {
  const queryClient = useQueryClient()
  return useMutation({ ...decideDeliveryMutation(), onSettled: () => refetchAssistants(queryClient) })
}

const dryRunKey = (dryRunId: string) => tagQueryKey(readDryRunQueryKey({ path: { dry_run_id: dryRunId } }), 'tryouts')

/** The sample, refetched while it is being made. */
export const dryRunQuery = (dryRunId: string) => ({
  ...readDryRunOptions({ path: { dry_run_id: dryRunId } }),
  queryKey: dryRunKey(dryRunId),
  refetchInterval: ({ state: { data } }: { state: { data?: DryRunOut } }) => (data && isAtWork(data) ? REFRESH : false),
})

export function useStartDryRun() {
  const queryClient = useQueryClient()
  return useMutation({
    ...startDryRunMutation(),
    onSuccess: (dryRun) => queryClient.setQueryData(dryRunKey(dryRun.id), dryRun),
  })
}

export function useCancelDryRun() {
  const queryClient = useQueryClient()
  return useMutation({
    ...cancelDryRunMutation(),
    onSuccess: (dryRun) => queryClient.setQueryData(dryRunKey(dryRun.id), dryRun),
    onError: () => queryClient.invalidateQueries(withTags('tryouts')),
  })
}

/** The topics of a tree to choose from. */
export const treeTopicsQuery = (treeId: string) => readTopicTreeOptions({ path: { tree_id: treeId } })
