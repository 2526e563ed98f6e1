/** Options of `fetchQuery` for buttons: always ask the server, and fail at once if offline instead of waiting. */
export const freshQueryOptions = { networkMode: 'always', retry: false, staleTime: 0 } as const
