import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  checkAccountMutation,
  chooseAccountsMutation,
  disconnectAccountMutation,
  listAccountsOptions,
  listChannelsOptions,
  startConnectingMutation,
} from '@/api/@tanstack/react-query.gen'
import { finishConnecting } from '@/api/sdk.gen'
import type { ChannelKind, ConnectedOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'

export const accountsQuery = listAccountsOptions()

export const channelsQuery = listChannelsOptions()

/** Leads to the network's consent page, which sends the browser back to our callback; some networks have a form alone. */
export function useStartConnecting() {
  const queryClient = useQueryClient()
  return useMutation({
    ...startConnectingMutation(),
    onSuccess: async ({ authorize_url, connected }) => {
      if (authorize_url) location.assign(authorize_url)
      if (connected) await queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey })
    },
  })
}

/** What its network says of an account now; one whose access is refused is marked as that, as is the website behind it. */
export function useCheckAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    ...checkAccountMutation(),
    onSettled: () => queryClient.invalidateQueries(withTags('accounts', 'websites')),
  })
}

/** Of several accounts that a consent led to. */
export function useChooseAccounts() {
  const queryClient = useQueryClient()
  return useMutation({
    ...chooseAccountsMutation(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey }),
  })
}

/** What the address of the callback held. */
export interface CallbackParams {
  state: string
  code: string | null
  error: string | null
  error_description: string | null
}

/**
 * Finishes connecting. As a query it runs once for each `state`, however often the page that asks is drawn, and
 * nothing ever runs it again: the state is good for one call.
 */
export const connectQuery = (kind: ChannelKind, params: CallbackParams) =>
  queryOptions<ConnectedOut, Problem>({
    queryKey: ['connect', kind, params],
    queryFn: async () => (await finishConnecting({ path: { kind }, body: params })).data,
    enabled: params.state !== '',
    staleTime: 'static',
    gcTime: Infinity,
    retry: false,
    retryOnMount: false,
  })

export function useDisconnect() {
  const queryClient = useQueryClient()
  return useMutation({
    ...disconnectAccountMutation(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey }),
  })
}
