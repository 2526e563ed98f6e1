/** For `fetchQuery` after a press: it asks the server, and without a network it fails at once instead of waiting for one. */
export const freshQueryOptions = { networkMode: 'always', retry: false, staleTime: 0 } as const
