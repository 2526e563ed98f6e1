import type { AccountStatsOut, DeliveryOut, PausedAssistantOut, PostOut, PostPage } from '@/api/types.gen'

/** The ids of what the user has just answered. */
export interface Answered {
  deliveries: readonly string[]
  posts: readonly string[]
}

export interface Needs {
  /** The deliveries with an unknown outcome: one question each. */
  unclear: { post: PostOut; delivery: DeliveryOut }[]
  /** The posts that wait for an approval. */
  toApprove: PostOut[]
  disconnected: AccountStatsOut['accounts_to_reconnect']
  failed: PostOut[]
  /** The posts that a network failed to delete. */
  undeleted: PostOut[]
  /** The assistants that have paused themselves. */
  paused: readonly PausedAssistantOut[]
  /** The assistants paused because the subscription has ended: one row for all. */
  ended: readonly PausedAssistantOut[]
  /** The assistants whose runs can't be planned. */
  unplanned: AccountStatsOut['unplanned_assistants']
  /** The number of waiting posts that are not listed. */
  more: number
  /** The number of posts, accounts and assistants, also those that are not listed. */
  count: number
}

/** Return whether the network failed to delete the post. */
export const isUndeleted = ({ removal }: DeliveryOut): boolean => removal?.state === 'failed'

/** Return whether the assistant is paused because the subscription has ended. */
export const byEnd = ({ reason }: PausedAssistantOut): boolean => reason === 'subscription_ended'

/** The stopped accounts and assistants. */
export type Stopped = Pick<AccountStatsOut, 'accounts_to_reconnect' | 'paused_assistants' | 'unplanned_assistants'>

/** The maximum of listed posts. */
const LISTED = 6

/**
 * Return the posts to list, in order of their time. Posts with a deadline get at least half of the places if there are
 * enough, nearest deadline first.
 */
function listedOf(waiting: readonly PostOut[], together: boolean): readonly PostOut[] {
  const deadline = ({ approval }: PostOut) => Date.parse(approval?.deadline_at ?? '')
  const toApprove = waiting.filter(({ status, approval }) => status === 'draft' && approval?.state === 'waiting')
  const otherPosts = waiting.filter((post) => !toApprove.includes(post) && !(together && isUnclear(post)))
  const places = Math.max(LISTED / 2, LISTED - otherPosts.length)
  const first = toApprove.toSorted((a, b) => deadline(a) - deadline(b)).slice(0, places)
  return [...otherPosts.slice(0, LISTED - first.length), ...first]
}

const isUnclear = ({ deliveries }: PostOut) => deliveries.some(({ state }) => state === 'unknown')

/** Return what waits for the user, without what was just answered. `together`: one row stands for all unclear posts. */
export function needsOf(
  page: Pick<PostPage, 'items' | 'total'>,
  answered: Answered,
  { accounts_to_reconnect: disconnected, paused_assistants, unplanned_assistants: unplanned }: Stopped,
  together = false,
): Needs {
  const ended = paused_assistants.filter(byEnd)
  const paused = paused_assistants.filter((assistant) => assistant.reason !== null && !byEnd(assistant))
  const unclear: Needs['unclear'] = []
  const toApprove: PostOut[] = []
  const failed: PostOut[] = []
  const undeleted: PostOut[] = []
  let left = 0
  const listed = listedOf(page.items, together)
  for (const post of listed) {
    const questions = post.deliveries.filter(({ state }) => state === 'unknown')
    const open = questions.filter(({ id }) => !answered.deliveries.includes(id))
    if (questions.length > 0) unclear.push(...open.map((delivery) => ({ post, delivery })))
    else if (!answered.posts.includes(post.id)) listOf(post).push(post)
    else continue
    if (questions.length === 0 || open.length > 0) left += 1
  }
  const more = Math.max(0, page.total - listed.length)
  const count = left + more + disconnected.length + paused.length + Math.min(1, ended.length) + unplanned.length
  return { unclear, toApprove, disconnected, failed, undeleted, paused, ended, unplanned, more, count }

  function listOf({ status, deliveries }: PostOut) {
    if (status === 'draft') return toApprove
    return deliveries.some(isUndeleted) ? undeleted : failed
  }
}
