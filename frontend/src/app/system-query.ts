import { readSystemOptions } from '@/api/@tanstack/react-query.gen'

const ASK_EVERY = 30_000 // ms

/** Query of the system's state. */
export const systemQuery = { ...readSystemOptions(), refetchInterval: ASK_EVERY }
