import { queryOptions } from '@tanstack/react-query'
import {
  listAccountsOptions,
  listAssistantsOptions,
  listPostsOptions,
  listTemplatesOptions,
  listTopicTreesOptions,
} from '@/api/@tanstack/react-query.gen'
import { previewSchedule } from '@/api/sdk.gen'
import type { AssistantOut, OccurrenceOut, PostOut } from '@/api/types.gen'

const MOST = 200 // the largest page the server gives
const LATEST = 6

export const activeAssistantsQuery = listAssistantsOptions({ query: { active: true, page_size: MOST } })
export const inactiveAssistantsQuery = listAssistantsOptions({ query: { active: false, page_size: 1 } })
export const accountsQuery = listAccountsOptions()
export const templatesQuery = listTemplatesOptions({ query: { type: 'text', page_size: 1 } })
export const topicTreesQuery = listTopicTreesOptions({ query: { page_size: 1 } })
export const latestPostsQuery = listPostsOptions({ query: { page_size: LATEST } })
export const publishedPostsQuery = listPostsOptions({ query: { status: 'published', page_size: 1 } })
export const draftPostsQuery = listPostsOptions({ query: { status: 'draft', page_size: 1 } })
export const failedPostsQuery = listPostsOptions({ query: { status: 'failed', page_size: 3 } })
/** A post with an open question stays complete until a person has answered. */
export const completePostsQuery = listPostsOptions({ query: { status: 'complete', page_size: 50 } })

export const hasUnclear = (post: PostOut) => post.deliveries.some(({ state }) => state === 'unknown')

export interface Planned {
  assistant: AssistantOut
  occurrence: OccurrenceOut
}

/** The next dates of one assistant, from the function that its workflow uses. */
export const occurrencesQuery = ({ schedule, status }: AssistantOut) =>
  queryOptions({
    // they move on with the next slot
    queryKey: ['next-up', schedule, status.next_slot],
    queryFn: async ({ signal }) => (await previewSchedule({ body: schedule, signal })).data.occurrences,
  })

/** The assistants that can hold the next `count` dates: nobody else's first one comes before theirs. */
export const soonest = (assistants: readonly AssistantOut[], count: number) =>
  assistants
    .filter(({ status }) => status.next_slot)
    .sort((first, second) => time(first.status.next_slot) - time(second.status.next_slot))
    .slice(0, count)

/** The dates of several assistants in one order. */
export const merged = (planned: readonly Planned[], count: number) =>
  [...planned].sort((first, second) => time(first.occurrence.slot) - time(second.occurrence.slot)).slice(0, count)

const time = (instant: string | null) => (instant ? Date.parse(instant) : Infinity)
