import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { createContext, RouterContextProvider } from 'react-router'
import { readToken } from './token'

const queryClientContext = createContext<QueryClient | null>(null)

/** What the router's loaders get to know: where the app keeps what it fetches. */
export function loaderContext(queryClient: QueryClient): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(queryClientContext, queryClient)
  return context
}

/**
 * For a loader: asks for what the page is about to show while its code is still on the way. The page itself waits for
 * nothing here, and what is known already is not asked for again.
 */
export function preload<Data, Failure, Key extends QueryKey>(
  context: Readonly<RouterContextProvider>,
  query: FetchQueryOptions<Data, Failure, Data, Key>,
): void {
  const queryClient = context.get(queryClientContext)
  if (queryClient && readToken() !== null) void queryClient.prefetchQuery({ ...query, staleTime: Infinity })
}
