import {
  listPostsOptions,
  readAccountSetupStateOptions,
  readAccountStatsOptions,
} from '@/api/@tanstack/react-query.gen'
import type { PostOut } from '@/api/types.gen'

const LATEST = 6
const LOOK_AGAIN = 10 * 60_000 // ms

export const setupQuery = readAccountSetupStateOptions()
/** Live events tell of every change but midnight, when another day begins. */
export const statsQuery = { ...readAccountStatsOptions(), refetchInterval: LOOK_AGAIN }
export const latestPostsQuery = listPostsOptions({ query: { page_size: LATEST } })
/** With an open question, or failed and not seen by anybody yet. */
export const waitingPostsQuery = listPostsOptions({ query: { waiting: true, page_size: 6 } })

export const hasUnclear = (post: PostOut) => post.deliveries.some(({ state }) => state === 'unknown')
