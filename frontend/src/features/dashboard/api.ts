import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import {
  listPostsOptions,
  makeDemoDataMutation,
  readAccountStatsOptions,
  readDemoDataOptions,
  removeDemoDataMutation,
  startConnectingMutation,
} from '@/api/@tanstack/react-query.gen'
import { PostSort, type AcknowledgePostData, type DecideDeliveryData, type DemoDataOut } from '@/api/types.gen'
import { ACKNOWLEDGE } from '@/components/acknowledge'
import { useDecideDelivery } from '@/components/use-decide-delivery'
import { paths } from '@/lib/paths'
import type { Problem } from '@/lib/problems'
import type { Answered } from './needs'

const LOOK_AGAIN = 10 * 60_000 // ms
const DECIDE = ['decide delivery on dashboard']

/** Live events tell of every change but midnight, when another day begins. */
export const statsQuery = { ...readAccountStatsOptions(), refetchInterval: LOOK_AGAIN }
/** With an open question, or failed and not seen by anybody yet: enough to choose from what is listed. */
export const waitingPostsQuery = listPostsOptions({ query: { waiting: true, articles_too: true, sort: PostSort.PLANNED_EARLIEST, page_size: 30 } })
export const demoQuery = readDemoDataOptions()
export const useDecide = (onError: (problem: Problem) => void) => useDecideDelivery({ mutationKey: DECIDE, onError })

/** Adds the demo data; of what it brings, the dashboard shows everything anew. */
export const useMakeDemoData = (onSuccess: (made: DemoDataOut) => void, onError: (problem: Problem) => void) =>
  useMutation({ ...makeDemoDataMutation(), onSuccess, onError, onSettled: useRefetchAll() })

/** Removes it, with what its assistants made. */
export const useRemoveDemoData = (onSuccess: () => void) =>
  useMutation({ ...removeDemoDataMutation(), onSuccess, onSettled: useRefetchAll() })

function useRefetchAll() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries()
}

/** Leads to the network's consent page, which sends the browser back; or where it has a form, to that. */
export const useReconnect = (onError: (problem: Problem) => void) =>
  useMutation({
    ...startConnectingMutation(),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url ?? paths.account),
    onError: (problem) => {
      if (problem.errors.some(({ field }) => field.startsWith('fields.'))) location.assign(paths.account)
      else onError(problem)
    },
  })

/** What was answered and is on its way: it no longer waits, and does again should it fail. */
export function useAnswered(): Answered {
  const deliveries = useMutationState({
    filters: { mutationKey: DECIDE, status: 'pending' },
    select: ({ state }) => (state.variables as DecideDeliveryData).path.delivery_id,
  })
  const posts = useMutationState({
    filters: { mutationKey: ACKNOWLEDGE, status: 'pending' },
    select: ({ state }) => (state.variables as AcknowledgePostData).path.post_id,
  })
  return { deliveries, posts }
}
