import type { AccountStatsOut, ChannelKind, NextOccurrenceOut, NextPostOut } from '@/api/types.gen'

interface Shown {
  id: string
  at: string
  channels: readonly ChannelKind[]
  /** Some of its accounts need reconnecting. */
  needsLogin: boolean
  /** It goes out nowhere before that. */
  held: boolean
  /** Somebody may still say what becomes of it. */
  asks: boolean
  /** Unless somebody does, it does not go out. */
  needsApproval: boolean
}

/** What goes out next: at a date of an assistant, or a post that has a time of its own. */
export type Coming = Shown & ({ date: NextOccurrenceOut; post?: undefined } | { post: NextPostOut; date?: undefined })

/** Of each kind the server tells as many: further ones of one kind may come before what it has not told of the other. */
const MOST = 5

/** The soonest that are still to come. */
export function comingOf({ next_occurrences, next_posts }: Pick<AccountStatsOut, 'next_occurrences' | 'next_posts'>, now: Date): Coming[] {
  const dates = next_occurrences.map(
    (date): Coming => ({ date, id: `${date.assistant_id} ${date.slot}`, at: date.slot, channels: date.channels, needsLogin: date.needs_login, held: date.needs_login, asks: date.prepared?.asks ?? false, needsApproval: date.prepared?.needs_approval ?? false }),
  )
  const posts = next_posts.map(
    (post): Coming => ({ post, id: post.id, at: post.planned_at, channels: post.channels, needsLogin: post.needs_login, held: post.held, asks: post.asks, needsApproval: post.needs_approval }),
  )
  return [...dates, ...posts]
    .filter(({ at }) => Date.parse(at) > now.getTime())
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(0, MOST)
}
