import { readSystemOptions } from '@/api/@tanstack/react-query.gen'

const ASK_EVERY = 30_000 // ms

/** How it is with what works for the user. */
export const systemQuery = { ...readSystemOptions(), refetchInterval: ASK_EVERY }
