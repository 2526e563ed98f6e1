/** Options of `fetchQuery` for a button: ask the server now, and fail at once without a network instead of waiting for one. */
export const freshQueryOptions = { networkMode: 'always', retry: false, staleTime: 0 } as const
