import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { readToken } from './token'

/**
 * For a loader: asks for what the page is about to show while its code is still on the way. The page itself waits for
 * nothing here, and what is known already is not asked for again.
 */
export function preload<Data, Failure, Key extends QueryKey>(
  queryClient: QueryClient | undefined,
  query: FetchQueryOptions<Data, Failure, Data, Key>,
): void {
  if (queryClient && readToken() !== null) void queryClient.prefetchQuery({ ...query, staleTime: Infinity })
}
