import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { SuggestionOut } from '@/api/types.gen'
import { drawnAt, guestsAmong, isBranch, openTitles, withGuests, type Draft, type Guest, type Offer } from '@/features/topics/suggestions/offers'
import type { TreeEditor } from './tree-editor'
import type { Place } from './tree-edits'
import { searchRows, indexOfKey, shownRow, visibleRows, type TreeShape } from './tree-rows'
import { useExpansion, type Expansion } from './use-expansion'

interface Options {
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

/** Return what is drawn of a tree, one row below the other, and which of the rows is the active one. */
export function useTreeView({ shape, editor, suggested, chosen, onChoose, search }: Options) {
  const expansion = useExpansion()
  const { closed, setOpen } = expansion
  const [draft, setDraft] = useState<Place>()
  const [revealed, setRevealed] = useState<string>() // the topic that was last brought into view
  const [offered, setOffered] = useState<string>() // the id of the suggestion that is the active row
  const { found: searchText, hits, rows, rounds, withOffers, guests, drawn } = useDrawnRows({ shape, editor, suggested, search, closed, draft })
  const indexOf = (key: string) => indexOfKey(shape, editor.idOf, key)
  const keyAt = (at: number) => editor.keyOf(shape.topics[at]?.id ?? '')

  const activeRow = shownRow(shape, rows, Math.max(0, indexOf(chosen)))
  const activeTopic = shape.topics[rows[activeRow] ?? -1]
  const offerIndex = offered === undefined ? -1 : guests.findIndex(({ id }) => id === offered)
  const activeGuest = guests[offerIndex]
  const offer = activeGuest && activeGuest.kind !== 'draft' ? activeGuest : undefined

  /** Open all topics that hide a topic. */
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

  const { expandAll, collapseAll } = useExpandAll(expansion, shape, editor, withOffers)
  return {
    shape,
    editor,
    /** The search that the rows show, which may be older than the typed one. */
    searchText,
    /** Whether a search is typed, although the rows may not show it yet. */
    searching: search !== '',
    /** Undefined without a search. */
    hits,
    /** Indices of the topics that are drawn. */
    rows,
    /** Rounds of suggestions with the index of their topic. */
    rounds,
    guests,
    /** Rows as they are drawn: topics and guests (`withGuests`). */
    drawn,
    activeRow,
    activeTopic,
    /** The suggestion that is active instead of a topic. */
    offer,
    /** Its id, or the id of a suggestion that no longer exists. */
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
    /** Whether a person closed the topic. A search opens it nevertheless. */
    isClosed: (key: string) => closed.has(key),
    setOpen,
    reveal,
    expandAll,
    collapseAll,
    choose: (key: string) => {
      setOffered(undefined)
      onChoose(key)
    },
    /** Go to a suggestion, and choose its topic. */
    chooseOffer: (guest: Offer) => {
      const key = keyAt(guest.at)
      setOffered(guest.id)
      setRevealed(key)
      onChoose(key)
    },
    /** Go to another suggestion of the same topic. */
    passOffer: setOffered,
  }
}

interface RowOptions extends Pick<Options, 'shape' | 'editor' | 'suggested' | 'search'> {
  /** Keys of the closed topics. */
  closed: ReadonlySet<string>
  /** Where a new topic is being typed. */
  draft: Place | undefined
}

/** Return the rows of a tree: topics, and among them suggestions and a new topic that has no title yet. */
function useDrawnRows({ shape, editor, suggested, search, closed, draft }: RowOptions) {
  const searchText = useDeferredValue(search)
  const hits = useMemo(() => (searchText ? searchRows(shape, searchText) : undefined), [shape, searchText])
  const rows = useMemo(
    () => hits?.rows ?? visibleRows(shape, (id) => closed.has(editor.keyOf(id))),
    [shape, hits, closed, editor],
  )
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
  return { found: searchText, hits, rows, rounds, withOffers, guests, drawn }
}

function useExpandAll({ closeOnly }: Expansion, shape: TreeShape, editor: TreeEditor, withOffers: ReadonlySet<number>) {
  const expandAll = useCallback(() => closeOnly([]), [closeOnly])
  const collapseAll = useCallback(() => {
    // the first level stays: a closed root would leave one row
    const branches = shape.topics.filter((topic, at) => topic.depth > 0 && isBranch(shape, at, withOffers))
    closeOnly(branches.map(({ id }) => editor.keyOf(id)))
  }, [shape, editor, withOffers, closeOnly])
  return { expandAll, collapseAll }
}

/** Return how many titles are suggested for a topic and for all topics under it. */
export const titlesWithin = ({ shape, rounds }: TreeView, at: number) =>
  rounds.reduce(
    (sum, guest) => (guest.at >= at && guest.at < (shape.end[at] ?? 0) ? sum + openTitles(guest.round).length : sum),
    0,
  )

/** Return the row of a new topic at a place. */
function draftGuest(shape: TreeShape, place: Place, editor: TreeEditor): Draft {
  const { parentId, afterId } = place
  const find = (key: string) => indexOfKey(shape, editor.idOf, key)
  const parent = find(parentId)
  const before = afterId === null ? parent + 1 : (shape.end[find(afterId)] ?? 0)
  return { kind: 'draft', id: 'draft', before, depth: (shape.topics[parent]?.depth ?? 0) + 1, place }
}
