import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { SuggestionOut } from '@/api/types.gen'
import { drawnAt, guestsAmong, isBranch, openTitles, withGuests, type Draft, type Guest, type Offer } from '@/features/topics/suggestions/offers'
import type { TreeEditor } from './tree-editor'
import type { Place } from './tree-edits'
import { foundRows, shownRow, visibleRows, type TreeShape } from './tree-rows'
import { useExpansion } from './use-expansion'

interface Shown {
  shape: TreeShape
  editor: TreeEditor
  /** Rounds of suggestions. */
  suggested: readonly SuggestionOut[]
  /** Key of the chosen topic. */
  chosen: string
  onChoose: (key: string) => void
  search: string
}

export type TreeView = ReturnType<typeof useTreeView>

/** What is drawn of a tree, one row below the other, and which of the rows is the active one. */
export function useTreeView({ shape, editor, suggested, chosen, onChoose, search }: Shown) {
  const { closed, setOpen, closeOnly } = useExpansion()
  const [draft, setDraft] = useState<Place>()
  const [revealed, setRevealed] = useState<string>() // the topic that was last brought into view
  const [offered, setOffered] = useState<string>() // the row of a suggestion that is gone to

  const found = useDeferredValue(search)
  const hits = useMemo(() => (found ? foundRows(shape, found) : undefined), [shape, found])
  const rows = useMemo(
    () => hits?.rows ?? visibleRows(shape, (id) => closed.has(editor.keyOf(id))),
    [shape, hits, closed, editor],
  )
  const indexOf = (key: string) => shape.indexOf.get(key) ?? shape.indexOf.get(editor.idOf(key)) ?? -1
  const keyAt = (at: number) => editor.keyOf(shape.topics[at]?.id ?? '')

  // what is suggested stands among the topics, and so does a new one until it has a title
  const rounds = useMemo(
    () =>
      suggested.flatMap((round) => {
        const at = shape.indexOf.get(round.topic_id)
        return at === undefined ? [] : [{ at, round }]
      }),
    [suggested, shape],
  )
  const withOffers = useMemo(() => new Set(rounds.map(({ at }) => at)), [rounds])
  const guests = useMemo(() => {
    const isClosed = (id: string) => closed.has(editor.keyOf(id))
    return guestsAmong(shape, rows, hits ? [] : rounds, isClosed, draft && draftGuest(shape, draft, editor))
  }, [shape, rows, rounds, hits, closed, draft, editor])
  const drawn = useMemo(() => withGuests(rows, guests), [rows, guests])

  const activeRow = shownRow(shape, rows, Math.max(0, indexOf(chosen)))
  const activeTopic = shape.topics[rows[activeRow] ?? -1]
  const offerIndex = offered === undefined ? -1 : guests.findIndex(({ id }) => id === offered)
  const gone = guests[offerIndex]
  const offer = gone && gone.kind !== 'draft' ? gone : undefined

  /** Opens all that hides a topic. */
  const reveal = (at: number) => {
    const above: string[] = []
    for (let up = shape.parent[at] ?? -1; up >= 0; up = shape.parent[up] ?? -1) above.push(keyAt(up))
    if (above.some((key) => closed.has(key))) setOpen(above, true)
  }
  // a topic that is chosen elsewhere (a link, a dialog, a move) comes into view
  const chosenIndex = indexOf(chosen)
  if (revealed !== chosen && chosenIndex >= 0) {
    setRevealed(chosen)
    setOffered(undefined)
    if (!hits) reveal(chosenIndex)
  }

  return {
    shape,
    editor,
    /** What was searched for, as far as it is drawn. */
    found,
    /** A search is typed, although perhaps not drawn yet. */
    searching: search !== '',
    /** None where nothing was searched for. */
    hits,
    /** Topics that are drawn, by their index. */
    rows,
    /** Rounds of suggestions with the index of their topic. */
    rounds,
    guests,
    /** Rows as they are drawn: topics and guests (`withGuests`). */
    drawn,
    activeRow,
    activeTopic,
    /** The suggestion that is active in place of a topic. */
    offer,
    /** Its id, or that of one which is not there any more. */
    offered,
    /** The active row among those drawn. */
    active: offer ? drawn.indexOf(-1 - offerIndex) : drawnAt(rows, guests, activeRow),
    draft,
    setDraft,
    draftRow: draft ? drawn.indexOf(-1 - guests.findIndex(({ kind }) => kind === 'draft')) : -1,
    indexOf,
    keyAt,
    guestAt: (row: number): Guest | undefined => guests[-1 - (drawn[row] ?? 0)],
    isBranch: (at: number) => isBranch(shape, at, withOffers),
    /** Closed by hand: a search opens it all the same. */
    isClosed: (key: string) => closed.has(key),
    setOpen,
    reveal,
    expandAll: useCallback(() => closeOnly([]), [closeOnly]),
    collapseAll: useCallback(() => {
      // the first level stays: a closed root would leave one row
      const branches = shape.topics.filter((topic, at) => topic.depth > 0 && isBranch(shape, at, withOffers))
      closeOnly(branches.map(({ id }) => editor.keyOf(id)))
    }, [shape, editor, withOffers, closeOnly]),
    choose: (key: string) => {
      setOffered(undefined)
      onChoose(key)
    },
    /** Goes to a suggestion. The topic that it is for is chosen with it. */
    chooseOffer: (guest: Offer) => {
      const key = keyAt(guest.at)
      setOffered(guest.id)
      setRevealed(key)
      onChoose(key)
    },
    /** Goes on to another suggestion of the same topic. */
    passOffer: setOffered,
  }
}

/** How many titles are suggested under a topic and all that is under it. */
export const titlesWithin = ({ shape, rounds }: TreeView, at: number) =>
  rounds.reduce(
    (sum, one) => (one.at >= at && one.at < (shape.end[at] ?? 0) ? sum + openTitles(one.round).length : sum),
    0,
  )

/** Where a new topic at this place stands among the others. */
function draftGuest(shape: TreeShape, place: Place, editor: TreeEditor): Draft {
  const { parentId, afterId } = place
  const find = (key: string) => shape.indexOf.get(key) ?? shape.indexOf.get(editor.idOf(key)) ?? -1
  const parent = find(parentId)
  const before = afterId === null ? parent + 1 : (shape.end[find(afterId)] ?? 0)
  return { kind: 'draft', id: 'draft', before, depth: (shape.topics[parent]?.depth ?? 0) + 1, place }
}
