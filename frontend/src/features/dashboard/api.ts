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
export const failedPostsQuery = listPostsOptions({ query: { status: 'failed', page_size: 3 } })
/** A post with an open question stays complete until a person has answered. */
export const completePostsQuery = listPostsOptions({ query: { status: 'complete', page_size: 50 } })

export const hasUnclear = (post: PostOut) => post.deliveries.some(({ state }) => state === 'unknown')
