import type { SuggestedTitle, SuggestionOut } from '@/api/types.gen'
import type { Place } from '@/features/topics/tree/tree-edits'
import { firstRowFrom, hasChildren, rowOf, type TreeShape } from '@/features/topics/tree/tree-rows'
import { isAtWork } from '@/lib/generation'

/** Return the suggested titles without a decision. */
export const openTitles = (round: SuggestionOut) => round.titles.filter(({ state }) => state === 'open')

interface RowPlace {
  id: string
  before: number
  depth: number
}

/** The row of a topic that has no title yet. */
export type Draft = RowPlace & { kind: 'draft'; place: Place }

/** A suggested title for the topic at `at`, or the state of a round without titles. */
export type Offer = RowPlace & { at: number; round: SuggestionOut } & (
    | { kind: 'title'; title: SuggestedTitle }
    | { kind: 'round' }
  )

/** A row of the tree that is not a topic, before the topic at `before`. `id` is unique in the tree. */
export type Guest = Draft | Offer

/** Return the titles of a round as rows after the children of the topic at `at`, or one row with the round's state. */
function guestsOf(shape: TreeShape, at: number, round: SuggestionOut): Offer[] {
  const place = { before: shape.end[at] ?? 0, depth: (shape.topics[at]?.depth ?? 0) + 1, at, round }
  const titles = openTitles(round)
  if (titles.length > 0)
    return titles.map((title) => ({ kind: 'title' as const, id: `${round.id}-${title.index}`, title, ...place }))
  return isAtWork(round) || round.titles.length === 0 ? [{ kind: 'round', id: round.id, ...place }] : []
}

/** Return whether a round has rows in the tree. */
export const hasGuests = (round: SuggestionOut) => isAtWork(round) || round.titles.length === 0 || openTitles(round).length > 0

/** Return all rows that are not topics, in their order, without those under a closed or hidden topic. */
export function guestsAmong(
  shape: TreeShape,
  rows: readonly number[],
  rounds: readonly { at: number; round: SuggestionOut }[],
  isClosed: (id: string) => boolean,
  draft?: Draft,
): Guest[] {
  const shown = rounds.filter(({ at }) => rowOf(rows, at) >= 0 && !isClosed(shape.topics[at]?.id ?? ''))
  const guests = [...(draft ? [draft] : []), ...shown.flatMap(({ at, round }) => guestsOf(shape, at, round))]
  // where several branches end, the innermost comes first; a draft comes before suggestions
  return guests.sort((a, b) => a.before - b.before || b.depth - a.depth)
}

/** Return the rows as they are drawn: indices of topics, and −1 − index for guests. Without guests, the same list. */
export function withGuests(rows: readonly number[], guests: readonly Guest[]): readonly number[] {
  if (guests.length === 0) return rows
  const drawn: number[] = []
  let from = 0
  guests.forEach(({ before }, index) => {
    const to = firstRowFrom(rows, before)
    for (; from < to; from++) drawn.push(rows[from]!)
    drawn.push(-1 - index)
  })
  for (; from < rows.length; from++) drawn.push(rows[from]!)
  return drawn
}

/** Return the position at which a topic's row is drawn, after the guests before it. */
export const drawnAt = (rows: readonly number[], guests: readonly Guest[], row: number) =>
  row + guests.filter(({ before }) => before <= (rows[row] ?? Infinity)).length

/** Return whether the topic has subtopics or suggestions, so that it can be opened and closed. */
export const isBranch = (shape: TreeShape, at: number, withOffers: ReadonlySet<number>) =>
  hasChildren(shape, at) || withOffers.has(at)
