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

/** Only how many there are. */
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

/** All that is kept of a run; its neighbours are those in the state, or all. */
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
export const websitesQuery = listWebsitesOptions()

/** Defaults and limits of the form's fields on this server. */
export const optionsQuery = { ...readAssistantOptionsOptions(), staleTime: Infinity }

/** The regions of a country that have holidays of their own. */
export const holidayCalendarQuery = (country: string) => ({
  ...readHolidayCalendarOptions({ path: { country } }),
  staleTime: Infinity,
})

/** What becomes of a text, by the rules that a run follows. */
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

/** Which variables a template has, and which of them Postloom fills itself. */
export const templateCheckQuery = (template: Pick<TemplateOut, 'type' | 'body' | 'version_id'>) =>
  queryOptions({
      queryKey: ['template-check', template.version_id, template.type, template.body],
      queryFn: async ({ signal }) =>
        (await checkTemplate({ body: { type: template.type, body: template.body }, signal })).data,
      staleTime: Infinity, // a version never changes
    })

const LISTS = listAssistantsQueryKey()[0]._id

/** Puts what is known of an assistant into every list and page that shows it. */
function patch(queryClient: QueryClient, assistantId: string, change: (assistant: AssistantOut) => AssistantOut) {
  const one = (assistant: AssistantOut) => (assistant.id === assistantId ? change(assistant) : assistant)
  queryClient.setQueriesData<PageAssistantOut>(
    { predicate: ({ queryKey }) => (queryKey[0] as { _id?: string } | undefined)?._id === LISTS },
    (page) => page && { ...page, items: page.items.map(one) },
  )
  const options = { path: { assistant_id: assistantId } }
  queryClient.setQueryData<AssistantOut>(readAssistantQueryKey(options), (assistant) => assistant && one(assistant))
  queryClient.setQueryData<AssistantLiveOut>(
    readAssistantLiveQueryKey(options),
    (live) => live && { ...live, assistant: one(live.assistant) },
  )
}

/** Websites name the one that writes for them. */
export const refetchAssistants = (queryClient: QueryClient) =>
  queryClient.invalidateQueries(withTags('assistants', 'websites'))

/** Active or not, shown at once and taken back when the server refuses. */
interface Switch {
  assistant: AssistantOut
  active: boolean
  /** What becomes of prepared posts when it is switched off. */
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
      // an answer that is under way would show the old state again
      await queryClient.cancelQueries({ queryKey: readAssistantQueryKey({ path: { assistant_id: assistant.id } }) })
      patch(queryClient, assistant.id, (found) => ({ ...found, active }))
    },
    onSuccess: ({ assistant }) => patch(queryClient, assistant.id, () => assistant),
    onError: (_, { assistant }) =>
      patch(queryClient, assistant.id, (found) => ({ ...found, active: assistant.active })),
    onSettled: () => refetchAssistants(queryClient),
  })
}

/** What it does is told anew, with its dates: also where it was refused, something is other than it was shown. */
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

/** Whoever calls leaves the page of the assistant first, then has the others refetched: it can't be read any more. */
export const useDeleteAssistant = () => useMutation(deleteAssistantMutation())

/** A person's answer where a network gave none. */
export function useDecideDelivery() {
  const queryClient = useQueryClient()
  return useMutation({ ...decideDeliveryMutation(), onSettled: () => refetchAssistants(queryClient) })
}

const dryRunKey = (dryRunId: string) => tagQueryKey(readDryRunQueryKey({ path: { dry_run_id: dryRunId } }), 'tryouts')

/** Followed while it is at work. */
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

/** The topics that one can choose among. */
export const treeTopicsQuery = (treeId: string) => readTopicTreeOptions({ path: { tree_id: treeId } })
