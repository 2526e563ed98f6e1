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

/** What the specification fixes: fetched data counts for 2 s, a failed call is retried after 5 s, focus does nothing. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: DEDUPLICATION,
        refetchOnWindowFocus: false,
        retryDelay: RETRY_AFTER,
        // what is wrong with the request itself stays wrong
        retry: (failures, problem) => failures < RETRIES && !(problem.status >= 400 && problem.status < 500),
      },
      // without a network it fails at once: what somebody has given up must not be sent, and paid for, an hour later
      mutations: { networkMode: 'always' },
    },
  })
}
