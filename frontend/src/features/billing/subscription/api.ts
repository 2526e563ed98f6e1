import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  cancelSubscriptionMutation,
  createCheckoutSessionMutation,
  createPortalSessionMutation,
  readSubscriptionOptions,
  resumeAssistantsMutation,
  resumeSubscriptionMutation,
} from '@/api/@tanstack/react-query.gen'
import { verifySubscription } from '@/api/sdk.gen'
import type { SubscriptionOut } from '@/api/types.gen'
import { withTags } from '@/lib/query-tags'
import { leaveToChange } from './away'

/** The stored subscription; the payment provider is not asked. */
export const subscriptionQuery = readSubscriptionOptions()

/** The result of a checkout, read once after the return from the provider's page. */
export const checkoutQuery = (sessionId: string | undefined) =>
  queryOptions({
    queryKey: ['checkout', sessionId],
    queryFn: async ({ signal }) => (await verifySubscription({ query: { session_id: sessionId }, signal })).data,
    staleTime: Infinity,
  })

/** Return a function that stores a fresh subscription in the cache and refetches what depends on it. */
export function useKeep() {
  const queryClient = useQueryClient()
  return async (subscription: SubscriptionOut) => {
    // a response on its way would show the old state again
    await queryClient.cancelQueries({ queryKey: subscriptionQuery.queryKey })
    queryClient.setQueryData(subscriptionQuery.queryKey, subscription)
    void queryClient.invalidateQueries(withTags('overview', 'assistants', 'calendar'))
  }
}

/** Return what reads the subscription again, since a refusal means that it has changed. */
function useRefetchSubscription() {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
}

export const useRefresh = () =>
  useMutation({ mutationFn: async () => (await verifySubscription()).data, onSuccess: useKeep() })

export const useCancel = () =>
  useMutation({ ...cancelSubscriptionMutation(), onSuccess: useKeep(), onError: useRefetchSubscription() })

export const useResume = () =>
  useMutation({ ...resumeSubscriptionMutation(), onSuccess: useKeep(), onError: useRefetchSubscription() })

export const useResumeAssistants = () =>
  useMutation({ ...resumeAssistantsMutation(), onSuccess: useKeep(), onError: useRefetchSubscription() })

/** Return the mutation that opens the provider's checkout page. */
export const useOpenCheckout = () =>
  useMutation({
    ...createCheckoutSessionMutation(),
    onSuccess: ({ checkout_url }) => location.assign(checkout_url),
    onError: useRefetchSubscription(),
  })

/** Return the mutation that opens the provider's page with payment method and invoices. */
export const useOpenPortal = () =>
  useMutation({
    ...createPortalSessionMutation(),
    onSuccess: ({ portal_url }) => leaveToChange(portal_url),
    onError: useRefetchSubscription(),
  })
