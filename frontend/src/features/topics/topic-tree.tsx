import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { useHotkeys, useId, useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { SuggestionOut } from '@/api/types.gen'
import { DraftRow } from './draft-row'
import { OfferRow } from './offer-row'
import { drawnAt, guestsAmong, isBranch, openTitles, withGuests, type Draft, type Guest, type Offer } from './offers'
import { DragScopeContext, draggedKey, dropPlace, type DragScope } from './row-drag'
import { RowMenu, type RowAct } from './row-menu'
import { TitleInput, type Then } from './title-input'
import { TopicRow, type RowWords } from './topic-row'
import { TreeBar } from './tree-bar'
import type { TreeEditor } from './tree-editor'
import { placeAfter, placeInside, type Direction, type Place } from './tree-edits'
import { deedOf, isLetter, type Deed } from './tree-keys'
import {
  foundRows,
  lowerTitles,
  shownRow,
  typedRow,
  visibleRows,
  type TreeShape,
} from './tree-rows'
import type { Suggestions } from './use-suggestions'
import type { Done, TreeActions } from './use-tree-actions'

const ROW = 38 // px
const ROW_FOR_FINGERS = 44 // px
const EDGE = 8 // px above the first row and below the last
const OVERSCAN = 6 // rows drawn above and below what is in view
const DEEPEST = { wide: 12, narrow: 5 } // further levels are told by a number
const TYPING = 700 // ms between two letters of one title

export interface TopicTreeHandle {
  /** Asks for the title of a new topic, behind the chosen one or under it. */
  add: (where: 'sibling' | 'child') => void
  remove: () => void
  /** Opens a topic that is closed. */
  open: (key: string) => void
  focus: () => void
  /** Goes to what was taken back, and says it. */
  showUndone: (done: Done | undefined) => void
}

interface TopicTreeProps {
  treeId: string
  label: string
  shape: TreeShape
  editor: TreeEditor
  actions: TreeActions
  suggestions: Suggestions
  /** Key of the chosen topic. */
  chosen: string
  onChoose: (key: string) => void
  search: string
  onSearch: (text: string) => void
  /** What needs another part of the page: facts, a dialog, the clipboard. */
  onAct: (act: Extract<RowAct, 'open' | 'moveTo' | 'suggest' | 'import' | 'copy'>, key: string) => void
  /** A touch of a row opens its facts, where they have no place beside the tree. */
  touchOpens: boolean
  ref: Ref<TopicTreeHandle>
}

const OWN_UNDO = 'input:not([type=checkbox]), textarea, [role=dialog], [role=alertdialog]'

/** Only the rows in view are in the page, so that 10,000 topics scroll like ten. */
export function TopicTree(props: TopicTreeProps) {
  const { treeId, label, shape, editor, actions, suggestions, chosen, onChoose, search, onSearch, onAct, touchOpens, ref } =
    props
  const { t } = useTranslation()
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const height = useMediaQuery('(pointer: coarse)') ? ROW_FOR_FINGERS : ROW
  const narrow = useMediaQuery('(max-width: 48em)')
  const deepest = narrow ? DEEPEST.narrow : DEEPEST.wide
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [renaming, setRenaming] = useState<string>()
  const [draft, setDraft] = useState<Place>()
  const [menu, setMenu] = useState<string>()
  const [help, setHelp] = useState(false)
  const [said, setSaid] = useState('')
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
  const topicAt = (row: number) => shape.topics[rows[row] ?? -1]

  // what is suggested stands among the topics, and so does a new one until it has a title
  const rounds = useMemo(
    () =>
      suggestions.rounds.flatMap((round) => {
        const at = shape.indexOf.get(round.topic_id)
        return at === undefined ? [] : [{ at, round }]
      }),
    [suggestions.rounds, shape],
  )
  const withOffers = useMemo(() => new Set(rounds.map(({ at }) => at)), [rounds])
  const guests = useMemo(() => {
    const isClosed = (id: string) => closed.has(editor.keyOf(id))
    return guestsAmong(shape, rows, hits ? [] : rounds, isClosed, draft && draftGuest(shape, draft, editor))
  }, [shape, rows, rounds, hits, closed, draft, editor])
  const drawn = useMemo(() => withGuests(rows, guests), [rows, guests])
  const guestAt = (one: number): Guest | undefined => guests[-1 - (drawn[one] ?? 0)]

  const activeRow = shownRow(shape, rows, Math.max(0, indexOf(chosen)))
  const activeTopic = topicAt(activeRow)
  const offerIndex = offered === undefined ? -1 : guests.findIndex(({ id }) => id === offered)
  const gone = guests[offerIndex]
  const offer = gone && gone.kind !== 'draft' ? gone : undefined
  const active = offer ? drawn.indexOf(-1 - offerIndex) : drawnAt(rows, guests, activeRow)
  const draftRow = draft ? drawn.indexOf(-1 - guests.findIndex(({ kind }) => kind === 'draft')) : -1

  // eslint-disable-next-line react-hooks/incompatible-library -- nothing that it returns is memoised
  const virtual = useVirtualizer({
    count: drawn.length,
    getScrollElement: () => scroller.current,
    // so that rows come with the first drawing: the true size takes one more
    initialRect: { width: 0, height: window.innerHeight },
    estimateSize: () => height,
    overscan: OVERSCAN,
    paddingStart: EDGE,
    paddingEnd: EDGE,
    // the tree points to the active row, and what is dragged or typed in must stay
    rangeExtractor: (range) => {
      const kept = [active, draftRow].filter((row) => row >= 0 && row < drawn.length)
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b)
    },
  })

  const say = (sentence: string | undefined) => {
    if (sentence) setSaid((before) => (before === sentence ? `${sentence}\u00a0` : sentence))
  }
  const focus = () => scroller.current?.focus({ preventScroll: true })
  const show = (row: number) => virtual.scrollToIndex(row, { align: 'auto' })

  /** Goes to a suggestion. The topic that it is for is chosen with it. */
  const goToOffer = (guest: Offer) => {
    const key = keyAt(guest.at)
    setOffered(guest.id)
    setRevealed(key)
    onChoose(key)
  }
  /** Goes to what is drawn there. */
  const goTo = (one: number) => {
    const guest = guestAt(one)
    const topic = shape.topics[drawn[one] ?? -1]
    if (topic) choose(editor.keyOf(topic.id))
    else if (guest && guest.kind !== 'draft') goToOffer(guest)
    show(one)
  }
  const choose = (key: string) => {
    setOffered(undefined)
    onChoose(key)
  }
  const setOpen = (keys: readonly string[], open: boolean) =>
    setClosed((before) => {
      const next = new Set(before)
      for (const key of keys) if (open) next.delete(key)
        else next.add(key)
      return next
    })
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
  const showActive = useEffectEvent(() => show(active))
  // not where suggestions come or go elsewhere
  useLayoutEffect(() => showActive(), [chosen, offered, activeRow])
  useLayoutEffect(() => {
    if (draftRow >= 0) virtual.scrollToIndex(draftRow, { align: 'auto' })
  }, [draftRow, virtual])
  useLayoutEffect(() => virtual.measure(), [height, virtual])

  const startDraft = (where: 'sibling' | 'child', key = editor.keyOf(activeTopic?.id ?? '')) => {
    const id = editor.idOf(key)
    const place = where === 'child' ? placeInside(editor.topics, id) : placeAfter(editor.topics, id)
    if (!place) return
    if (search) onSearch('')
    setRenaming(undefined)
    reveal(indexOf(key))
    setOpen([editor.keyOf(place.parentId)], true)
    setDraft(place)
  }
  const finishDraft = (title: string, then: Then) => {
    if (!draft) return
    const added = actions.add(draft, title)
    if (!added) {
      setDraft(undefined)
      return focus()
    }
    const { key, said: sentence } = added
    say(sentence)
    choose(key)
    if (then === 'nothing') {
      setDraft(undefined)
      focus()
    } else setDraft(then === 'child' ? { parentId: key, afterId: null } : { parentId: draft.parentId, afterId: key })
  }
  const finishRename = (key: string, title: string, then: Then) => {
    const topic = shape.topics[indexOf(key)]
    setRenaming(undefined)
    if (topic?.title !== title) say(actions.change(editor.idOf(key), { title }))
    if (then === 'nothing') focus()
    else startDraft(then, key)
  }
  const remove = (key: string) => {
    const topic = shape.topics[indexOf(key)]
    const removed = topic && actions.remove(topic.id)
    if (!removed) {
      if (topic) say(t('topics.said.rootStays'))
      return
    }
    say(removed.said)
    choose(removed.key)
  }
  const step = (key: string, direction: Direction) => {
    const id = editor.idOf(key)
    say(actions.step(id, direction))
    // what it went into must not hide it
    const above = placeParent(editor, id)
    if (above) setOpen([above], true)
  }

  const showUndone = (done: Done | undefined, nothing = t('topics.said.nothingToUndo')) => {
    say(done?.said ?? nothing)
    if (!done) return
    choose(done.key)
    focus()
  }
  // wherever the focus is, as long as it is not where a text or a dialog has an undo of its own
  const undoKey = (turn: () => Done | undefined, nothing: string) => (event: globalThis.KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(OWN_UNDO)) return
    event.preventDefault()
    showUndone(turn(), nothing)
  }
  const undo = undoKey(actions.undo, t('topics.said.nothingToUndo'))
  const redo = undoKey(actions.redo, t('topics.said.nothingToRedo'))
  const own = { preventDefault: false }
  useHotkeys([['mod+Z', undo, own], ['mod+shift+Z', redo, own], ['mod+Y', redo, own]], [])

  const act = (what: RowAct, key: string) => {
    const topic = shape.topics[indexOf(key)]
    if (!topic) return
    choose(key)
    switch (what) {
      case 'rename':
        return setRenaming(key)
      case 'sibling':
      case 'child':
        return startDraft(what, key)
      case 'toggle':
        return say(actions.change(topic.id, { enabled: !topic.enabled }))
      case 'up':
      case 'down':
      case 'in':
      case 'out':
        return step(key, what)
      case 'remove':
        return remove(key)
      default:
        return onAct(what, key)
    }
  }

  /** Keeps or discards a suggestion, or asks again for what brought nothing and puts it away. Then comes the next. */
  const decide = (guest: Offer, keep: boolean) => {
    const { round } = guest
    const others = guests.filter((one) => one.kind === 'title' && one.round.id === round.id)
    const at = others.indexOf(guest)
    const next = others[at + 1] ?? others[at - 1]
    let nextKey = keyAt(guest.at)
    if (guest.kind === 'round') {
      if (round.state !== 'failed' && round.state !== 'succeeded') return
      if (keep) suggestions.actions.again(round)
      else suggestions.actions.putAway(round)
    } else if (keep) {
      const kept = suggestions.actions.keep(round, guest.title)
      say(kept?.said)
      if (kept) nextKey = kept.key
    } else say(suggestions.actions.discard(round, guest.title))
    // a click elsewhere leaves the person where they are
    if (guest !== offer) return
    if (next) setOffered(next.id)
    else choose(nextKey)
  }

  useImperativeHandle(ref, () => ({
    add: (where) => startDraft(where),
    remove: () => remove(chosen),
    open: (key) => setOpen([key], true),
    focus,
    showUndone,
  }))

  const type = (letter: string, now: number) => {
    const going = now - typed.current.at < TYPING ? typed.current.text : ''
    const text = going + letter
    typed.current = { text, at: now }
    // the first letter goes on to the next topic, further ones stay with what was found
    const row = typedRow(rows, lowerTitles(shape.topics), activeRow + (going ? 0 : 1), text)
    if (row >= 0) goTo(drawnAt(rows, guests, row))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (!activeTopic || event.target !== scroller.current) return
    const at = rows[activeRow] ?? 0
    const key = keyAt(at)
    const branch = isBranch(shape, at, withOffers)
    const isOpen = branch && (hits !== undefined || !closed.has(key))
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1)
    const last = drawn.length - 1
    const deeds: Record<Deed, () => unknown> = {
      next: () => goTo(Math.min(active + 1, last)),
      previous: () => goTo(Math.max(active - 1, 0)),
      pageDown: () => goTo(Math.min(active + page, last)),
      pageUp: () => goTo(Math.max(active - page, 0)),
      first: () => goTo(0),
      last: () => goTo(last),
      help: () => setHelp(true),
      leave: () => offer && choose(keyAt(offer.at)),
      keep: () => offer && decide(offer, true),
      discard: () => offer && decide(offer, false),
      up: () => step(key, 'up'),
      down: () => step(key, 'down'),
      in: () => step(key, 'in'),
      out: () => step(key, 'out'),
      inwards: () => (isOpen ? goTo(active + 1) : branch && setOpen([key], true)),
      outwards: () => (isOpen && !hits ? setOpen([key], false) : at > 0 && choose(keyAt(shape.parent[at] ?? 0))),
      openSiblings: () => setOpen(siblingKeys(shape, at, keyAt), true),
      rename: () => setRenaming(key),
      sibling: () => startDraft('sibling'),
      child: () => startDraft('child'),
      remove: () => remove(key),
      toggle: () => say(actions.change(activeTopic.id, { enabled: !activeTopic.enabled })),
      menu: () => setMenu(key),
    }
    const deed = deedOf(event, offer !== undefined)
    const typing = event.timeStamp - typed.current.at < TYPING
    // between two letters of a title a space is one of them
    if (deed && !(deed === 'toggle' && typing)) {
      event.preventDefault()
      deeds[deed]()
    } else if (!offer && isLetter(event)) {
      event.preventDefault()
      type(event.key, event.timeStamp)
    }
  }

  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement
    const key = target.closest<HTMLElement>('[data-key]')?.dataset.key
    const part = target.closest<HTMLElement>('[data-part]')?.dataset.part
    const guestId = target.closest<HTMLElement>('[data-offer]')?.dataset.offer
    const guest = guests.find(({ id }) => id === guestId)
    if (guest && guest.kind !== 'draft') {
      if (part === 'keep' || part === 'discard') {
        decide(guest, part === 'keep')
        focus()
      } else goToOffer(guest)
      return
    }
    if (key === undefined) return
    choose(key)
    if (part === 'menu') return setMenu((before) => (before === key ? undefined : key))
    if (part === 'arrow' && isBranch(shape, indexOf(key), withOffers) && !hits) return setOpen([key], closed.has(key))
    if (touchOpens && part === 'title') onAct('open', key)
  }
  const onDoubleClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement
    const key = target.closest<HTMLElement>('[data-key]')?.dataset.key
    if (key !== undefined && !touchOpens && target.closest('[data-part=title]')) setRenaming(key)
  }

  const scope = useMemo<DragScope>(
    () => ({
      treeId,
      topics: () => editor.topics,
      idOf: editor.idOf,
      open: (key) => setClosed((before) => new Set([...before].filter((other) => other !== key))),
    }),
    [treeId, editor],
  )
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    return combine(
      autoScrollForElements({ element }),
      monitorForElements({
        canMonitor: ({ source }) => draggedKey(source.data, treeId) !== undefined,
        onDragStart: ({ source }) => onChoose(draggedKey(source.data, treeId) ?? ''),
        onDrop: ({ source, location }) => {
          const [target] = location.current.dropTargets
          const id = editor.idOf(draggedKey(source.data, treeId) ?? '')
          const over = target?.data.topicKey
          if (!target || typeof over !== 'string') return
          const place = dropPlace(editor.topics, id, target.data, editor.idOf(over))
          if (!place) return
          setSaid(actions.moveTo(id, place))
          setClosed((before) => new Set([...before].filter((key) => key !== editor.keyOf(place.parentId))))
        },
      }),
    )
  }, [treeId, editor, actions, onChoose])

  const expandAll = useCallback(() => setClosed(new Set()), [])
  const collapseAll = useCallback(() => {
    // the first level stays: a closed root would leave one row
    const branches = shape.topics.filter((topic, at) => topic.depth > 0 && isBranch(shape, at, withOffers))
    setClosed(new Set(branches.map(({ id }) => editor.keyOf(id))))
  }, [shape, editor, withOffers])
  const words = useMemo<RowWords>(
    () => ({
      disabled: t('topics.disabled'),
      disabledAbove: t('topics.disabledAbove'),
      neverUsed: t('topics.neverUsed'),
      actions: t('topics.actions'),
      timesUsed: (times) => t('topics.timesUsed', { count: times }),
      below: (topics) => t('topics.below', { count: topics }),
      suggested: (titles) => t('topics.suggest.below', { count: titles }),
    }),
    [t],
  )

  return (
    <section className="panel tree">
      <TreeBar
        search={search}
        onSearch={onSearch}
        matches={hits?.matches}
        total={shape.topics.length}
        onExpandAll={expandAll}
        onCollapseAll={collapseAll}
        editor={editor}
        help={help}
        onHelp={setHelp}
      />
      <div className="vh" role="status">
        {said}
      </div>
      {rows.length === 0 && <p className="tree-none dim">{t('topics.noTopicFound', { search: found })}</p>}
      <DragScopeContext value={scope}>
        <div
          ref={scroller}
          className="tree-scroll"
          role="tree"
          aria-label={label}
          tabIndex={0}
          aria-activedescendant={offer ? `${prefix}-${offer.id}` : activeTopic && `${prefix}-${editor.keyOf(activeTopic.id)}`}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onDoubleClick={onDoubleClick}
        >
          <div className="tree-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const guest = guestAt(index)
              if (guest && guest.kind !== 'draft') {
                const set = guests.filter((one) => one.kind !== 'draft' && one.round.id === guest.round.id)
                return (
                  <OfferRow
                    key={guest.id}
                    id={`${prefix}-${guest.id}`}
                    guest={guest}
                    position={set.indexOf(guest) + 1}
                    siblings={set.length}
                    active={guest === offer}
                    top={start}
                    height={height}
                    deepest={deepest}
                    narrow={narrow}
                  />
                )
              }
              if (guest)
                return (
                  <DraftRow
                    key="draft"
                    draft={guest}
                    top={start}
                    height={height}
                    deepest={deepest}
                    onDone={finishDraft}
                    onTakenAway={(title) => actions.add(guest.place, title)}
                    onCancel={() => {
                      setDraft(undefined)
                      focus()
                    }}
                  />
                )
              const at = drawn[index] ?? -1
              const topic = shape.topics[at]
              if (!topic) return null
              const key = editor.keyOf(topic.id)
              const isClosed = hits === undefined && closed.has(key)
              return (
                <TopicRow
                  key={key}
                  id={`${prefix}-${key}`}
                  topicKey={key}
                  topic={topic}
                  off={shape.off[at] === 1}
                  position={shape.position[at] ?? 1}
                  siblings={shape.siblings[at] ?? 1}
                  state={!isBranch(shape, at, withOffers) ? 'leaf' : isClosed ? 'closed' : 'open'}
                  below={(shape.end[at] ?? 0) - at - 1}
                  suggested={isClosed ? titlesWithin(shape, at, rounds) : 0}
                  usedWithin={shape.usedWithin[at] ?? 0}
                  chosen={!offer && topic === activeTopic}
                  top={start}
                  height={height}
                  deepest={deepest}
                  words={words}
                  found={hits ? found : ''}
                  input={
                    renaming === key ? (
                      <TitleInput
                        title={topic.title}
                        onDone={(title, then) => finishRename(key, title, then)}
                        onTakenAway={(title) => actions.change(editor.idOf(key), { title })}
                        onCancel={() => {
                          setRenaming(undefined)
                          focus()
                        }}
                      />
                    ) : undefined
                  }
                  menu={
                    menu === key ? (
                      <RowMenu
                        topic={topic}
                        onAct={(what) => {
                          setMenu(undefined)
                          focus()
                          act(what, key)
                        }}
                        onClose={() => {
                          setMenu(undefined)
                          focus()
                        }}
                      />
                    ) : undefined
                  }
                />
              )
            })}
          </div>
        </div>
      </DragScopeContext>
    </section>
  )
}

/** Where a new topic at this place stands among the others. */
function draftGuest(shape: TreeShape, place: Place, editor: TreeEditor): Draft {
  const { parentId, afterId } = place
  const find = (key: string) => shape.indexOf.get(key) ?? shape.indexOf.get(editor.idOf(key)) ?? -1
  const parent = find(parentId)
  const before = afterId === null ? parent + 1 : (shape.end[find(afterId)] ?? 0)
  return { kind: 'draft', id: 'draft', before, depth: (shape.topics[parent]?.depth ?? 0) + 1, place }
}

/** How many titles are suggested under a topic and all that is under it. */
const titlesWithin = (shape: TreeShape, at: number, rounds: readonly { at: number; round: SuggestionOut }[]) =>
  rounds.reduce(
    (sum, one) => (one.at >= at && one.at < (shape.end[at] ?? 0) ? sum + openTitles(one.round).length : sum),
    0,
  )

/** The topic and its siblings, as far as they have something to open. */
function siblingKeys(shape: TreeShape, at: number, keyAt: (at: number) => string): string[] {
  const above = shape.parent[at] ?? -1
  const keys: string[] = []
  const end = above < 0 ? shape.topics.length : (shape.end[above] ?? 0)
  for (let one = above + 1; one < end; one = shape.end[one] ?? end) keys.push(keyAt(one))
  return keys
}

function placeParent(editor: TreeEditor, id: string): string | undefined {
  const parentId = editor.topics.find((topic) => topic.id === id)?.parent_id
  return parentId ? editor.keyOf(parentId) : undefined
}
