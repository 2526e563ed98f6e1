import type { AccountStatsOut, ChannelKind, NextOccurrenceOut, NextPostOut } from '@/api/types.gen'

interface EntryFacts {
  id: string
  at: string
  channels: readonly ChannelKind[]
  /** Whether an account has to be reconnected. */
  needsLogin: boolean
  /** Whether no account can publish it until then. */
  held: boolean
  /** Whether it can still be approved or declined. */
  waitsForApproval: boolean
  /** Whether it is published only after an approval. */
  needsApproval: boolean
}

/** A planned publication: an assistant's date, or a post with its own time. */
export type Upcoming = EntryFacts & ({ date: NextOccurrenceOut; post?: undefined } | { post: NextPostOut; date?: undefined })

/** The server returns as many of each kind, so later ones of one kind could come after missing ones of the other. */
const MOST = 5

/** Return the next publications. */
export function upcomingOf({ next_occurrences, next_posts }: Pick<AccountStatsOut, 'next_occurrences' | 'next_posts'>, now: Date): Upcoming[] {
  const dates = next_occurrences.map(
    (date): Upcoming => ({ date, id: `${date.assistant_id} ${date.slot}`, at: date.slot, channels: date.channels, needsLogin: date.needs_login, held: date.needs_login, waitsForApproval: date.prepared?.asks ?? false, needsApproval: date.prepared?.needs_approval ?? false }),
  )
  const posts = next_posts.map(
    (post): Upcoming => ({ post, id: post.id, at: post.planned_at, channels: post.channels, needsLogin: post.needs_login, held: post.held, waitsForApproval: post.asks, needsApproval: post.needs_approval }),
  )
  return [...dates, ...posts]
    .filter(({ at }) => Date.parse(at) > now.getTime())
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .slice(0, MOST)
}
