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

/**
 * Return the mutation that opens the network's consent page, which leads back to our callback; some networks have only
 * a form.
 */
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

/** Return the mutation that checks an account at its network. A refused account is marked, as is its website. */
export function useCheckAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    ...checkAccountMutation(),
    onSettled: () => queryClient.invalidateQueries(withTags('accounts', 'websites')),
  })
}

/** Return the mutation that connects the chosen accounts of a consent. */
export function useChooseAccounts() {
  const queryClient = useQueryClient()
  return useMutation({
    ...chooseAccountsMutation(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey }),
  })
}

/** The parameters of the callback's URL. */
export interface CallbackParams {
  state: string
  code: string | null
  error: string | null
  error_description: string | null
}

/**
 * Finish connecting. A query runs once per `state`, however often the page is rendered, and is never refetched: the
 * state works only once.
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
