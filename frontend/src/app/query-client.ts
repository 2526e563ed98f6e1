import { QueryClient } from '@tanstack/react-query'
import type { Problem } from '@/lib/problems'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Problem
  }
}

const DEDUPLICATION = 2_000 // ms
const RETRY_AFTER = 5_000 // ms
const RETRIES = 2

/** Create the query client as specified: data is fresh for 2 s, failed calls retry after 5 s, no refetch on focus. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: DEDUPLICATION,
        refetchOnWindowFocus: false,
        retryDelay: RETRY_AFTER,
        // an invalid request stays invalid
        retry: (failures, problem) => failures < RETRIES && !(problem.status >= 400 && problem.status < 500),
      },
      // fail at once if offline: an abandoned call must not be sent, and cost money, an hour later
      mutations: { networkMode: 'always' },
    },
  })
}
