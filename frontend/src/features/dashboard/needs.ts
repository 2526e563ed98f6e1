import type { AccountStatsOut, DeliveryOut, PausedAssistantOut, PostOut, PostPage } from '@/api/types.gen'

/** Ids of what a person has just answered. */
export interface Answered {
  deliveries: readonly string[]
  posts: readonly string[]
}

export interface Needs {
  /** Nobody knows whether it is there: one question for each channel. */
  unclear: { post: PostOut; delivery: DeliveryOut }[]
  /** Somebody is asked about these. */
  toApprove: PostOut[]
  disconnected: AccountStatsOut['accounts_to_reconnect']
  failed: PostOut[]
  /** Still at a network, which was to delete them. */
  undeleted: PostOut[]
  /** Assistants that have paused themselves. */
  paused: readonly PausedAssistantOut[]
  /** Assistants that pause because the subscription has ended: one thing, however many. */
  ended: readonly PausedAssistantOut[]
  /** Assistants for which no run begins. */
  unplanned: AccountStatsOut['unplanned_assistants']
  /** Posts that wait too, and are not listed. */
  more: number
  /** Posts, accounts and assistants, also those that are not listed. */
  count: number
}

/** A network was to delete it, and did not. */
export const isUndeleted = ({ removal }: DeliveryOut): boolean => removal?.state === 'failed'

/** It pauses because the subscription has ended. */
export const byEnd = ({ reason }: PausedAssistantOut): boolean => reason === 'subscription_ended'

/** What stands still, but for posts. */
export type Stopped = Pick<AccountStatsOut, 'accounts_to_reconnect' | 'paused_assistants' | 'unplanned_assistants'>

/** Posts that are listed. */
const LISTED = 6

/** Of what waits, in the order of its time, what is listed: what has a deadline has half of the places at least, as far as
 * there is so much, and first what is decided first. */
function listedOf(waiting: readonly PostOut[], together: boolean): readonly PostOut[] {
  const deadline = ({ approval }: PostOut) => Date.parse(approval?.deadline_at ?? '')
  const toApprove = waiting.filter(({ status, approval }) => status === 'draft' && approval?.state === 'waiting')
  const otherPosts = waiting.filter((post) => !toApprove.includes(post) && !(together && isUnclear(post)))
  const places = Math.max(LISTED / 2, LISTED - otherPosts.length)
  const first = toApprove.toSorted((a, b) => deadline(a) - deadline(b)).slice(0, places)
  return [...otherPosts.slice(0, LISTED - first.length), ...first]
}

const isUnclear = ({ deliveries }: PostOut) => deliveries.some(({ state }) => state === 'unknown')

/** What waits for a person, without what was just answered. `together`: one row stands for all that is unclear. */
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
