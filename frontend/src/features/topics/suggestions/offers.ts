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

/** A suggested title under the topic at `at`, or how a round without titles stands. */
export type Offer = RowPlace & { at: number; round: SuggestionOut } & (
    | { kind: 'title'; title: SuggestedTitle }
    | { kind: 'round' }
  )

/** A row of the tree that is no topic; it stands before the topic at `before`. `id` is unique in the tree. */
export type Guest = Draft | Offer

/** The titles of a round as rows behind the children of the topic at `at`, or one row that says how the round stands. */
function guestsOf(shape: TreeShape, at: number, round: SuggestionOut): Offer[] {
  const place = { before: shape.end[at] ?? 0, depth: (shape.topics[at]?.depth ?? 0) + 1, at, round }
  const titles = openTitles(round)
  if (titles.length > 0)
    return titles.map((title) => ({ kind: 'title' as const, id: `${round.id}-${title.index}`, title, ...place }))
  return isAtWork(round) || round.titles.length === 0 ? [{ kind: 'round', id: round.id, ...place }] : []
}

/** Whether a round has anything to show in the tree. */
export const hasGuests = (round: SuggestionOut) => isAtWork(round) || round.titles.length === 0 || openTitles(round).length > 0

/** All that stands among the rows and is no topic, in its order. What is under a closed or hidden topic is left out. */
export function guestsAmong(
  shape: TreeShape,
  rows: readonly number[],
  rounds: readonly { at: number; round: SuggestionOut }[],
  isClosed: (id: string) => boolean,
  draft?: Draft,
): Guest[] {
  const shown = rounds.filter(({ at }) => rowOf(rows, at) >= 0 && !isClosed(shape.topics[at]?.id ?? ''))
  const guests = [...(draft ? [draft] : []), ...shown.flatMap(({ at, round }) => guestsOf(shape, at, round))]
  // where several branches end, the innermost goes on first; a draft stands before what is only suggested
  return guests.sort((one, other) => one.before - other.before || other.depth - one.depth)
}

/** What is drawn: topics by their index, and −1 − its index for a guest. The same list where there is none. */
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

/** Where the row of a topic is drawn: behind the guests that come before it. */
export const drawnAt = (rows: readonly number[], guests: readonly Guest[], row: number) =>
  row + guests.filter(({ before }) => before <= (rows[row] ?? Infinity)).length

/** Something can be opened and closed: topics or suggestions. */
export const isBranch = (shape: TreeShape, at: number, withOffers: ReadonlySet<number>) =>
  hasChildren(shape, at) || withOffers.has(at)
