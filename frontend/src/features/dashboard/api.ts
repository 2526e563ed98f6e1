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

/** Refetched regularly: live events report every change except midnight, when another day begins. */
export const statsQuery = { ...readAccountStatsOptions(), refetchInterval: LOOK_AGAIN }
/** The posts with an open question or an unseen failure, as many as the panel needs. */
export const waitingPostsQuery = listPostsOptions({ query: { waiting: true, articles_too: true, sort: PostSort.PLANNED_EARLIEST, page_size: 30 } })
export const demoQuery = readDemoDataOptions()
export const useDecide = (onError: (problem: Problem) => void) => useDecideDelivery({ mutationKey: DECIDE, onError })

/** Return the mutation that adds the demo data and refetches the dashboard. */
export const useMakeDemoData = (onSuccess: (demoData: DemoDataOut) => void, onError: (problem: Problem) => void) =>
  useMutation({ ...makeDemoDataMutation(), onSuccess, onError, onSettled: useRefetchAll() })

/** Return the mutation that removes the demo data and the posts of its assistants. */
export const useRemoveDemoData = (onSuccess: () => void) =>
  useMutation({ ...removeDemoDataMutation(), onSuccess, onSettled: useRefetchAll() })

function useRefetchAll() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries()
}

/** Return the mutation that opens the network's consent page, which leads back, or its form. */
export const useReconnect = (onError: (problem: Problem) => void) =>
  useMutation({
    ...startConnectingMutation(),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url ?? paths.account),
    onError: (problem) => {
      if (problem.errors.some(({ field }) => field.startsWith('fields.'))) location.assign(paths.account)
      else onError(problem)
    },
  })

/** Return the items with an answer in progress: they no longer wait, unless the answer fails. */
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
