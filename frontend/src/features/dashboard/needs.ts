import type { AccountToReconnectOut, DeliveryOut, PausedAssistantOut, PostOut, PostPage } from '@/api/types.gen'

/** Ids of what a person has just answered. */
export interface Answered {
  deliveries: readonly string[]
  posts: readonly string[]
}

export interface Needs {
  /** Nobody knows whether it is there: one question for each channel. */
  unclear: { post: PostOut; delivery: DeliveryOut }[]
  /** Somebody is asked about these. */
  asked: PostOut[]
  disconnected: readonly AccountToReconnectOut[]
  failed: PostOut[]
  /** Assistants that have paused themselves. */
  paused: readonly PausedAssistantOut[]
  /** Posts that wait too, and are not listed. */
  more: number
  /** Posts, accounts and assistants, also those that are not listed. */
  count: number
}

/** What waits for a person, without what was just answered. */
export function needsOf(
  page: Pick<PostPage, 'items' | 'total'>,
  disconnected: readonly AccountToReconnectOut[],
  answered: Answered,
  pauses: readonly PausedAssistantOut[] = [],
): Needs {
  const paused = pauses.filter(({ reason }) => reason !== null)
  const unclear: Needs['unclear'] = []
  const asked: PostOut[] = []
  const failed: PostOut[] = []
  let left = 0
  for (const post of page.items) {
    const questions = post.deliveries.filter(({ state }) => state === 'unknown')
    const open = questions.filter(({ id }) => !answered.deliveries.includes(id))
    if (questions.length > 0) unclear.push(...open.map((delivery) => ({ post, delivery })))
    else if (!answered.posts.includes(post.id)) (post.status === 'draft' ? asked : failed).push(post)
    else continue
    if (questions.length === 0 || open.length > 0) left += 1
  }
  const more = Math.max(0, page.total - page.items.length)
  const count = left + more + disconnected.length + paused.length
  return { unclear, asked, disconnected, failed, paused, more, count }
}
