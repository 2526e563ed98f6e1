import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  disconnectAccountMutation,
  listAccountsOptions,
  listChannelsOptions,
  startConnectingMutation,
} from '@/api/@tanstack/react-query/accounts.gen'
import { finishConnecting } from '@/api/sdk/accounts.gen'
import type { AccountOut, ChannelKind } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'

export const accountsQuery = listAccountsOptions()

export const channelsQuery = listChannelsOptions()

/** Leads to the network's consent page, which sends the browser back to our callback. */
export const useStartConnecting = () =>
  useMutation({
    ...startConnectingMutation(),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url),
  })

/** What the address of the callback held. */
export interface CallbackParams {
  state: string
  code: string | null
  error: string | null
}

/**
 * Finishes connecting. As a query it runs once for each `state`, however often the page that asks is drawn, and
 * nothing ever runs it again: the state is good for one call.
 */
export const connectQuery = (kind: ChannelKind, params: CallbackParams) =>
  queryOptions<AccountOut[], Problem>({
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
