import { useRef, type KeyboardEvent, type RefObject } from 'react'
import { drawnAt } from '@/features/topics/suggestions/offers'
import { treeAction, type TreeAction } from './tree-keys'
import { lowerTitles, siblingsOf, typedRow } from './tree-rows'
import type { TreeMutations } from './use-tree-mutations'
import type { TreeView } from './use-tree-view'
import type { TreeWindow } from './use-tree-window'

const TYPING = 700 // ms between two letters of one title

interface Options {
  view: TreeView
  rows: TreeWindow
  mutations: TreeMutations
  scroller: RefObject<HTMLDivElement | null>
  /** Opens the menu of the topic with this key. */
  onMenu: (key: string) => void
  onHelp: () => void
}

/** Return the handler of the tree's keys. */
export function useTreeKeyboard({ view, rows: { show, page }, mutations, scroller, onMenu, onHelp }: Options) {
  const typed = useRef({ text: '', at: 0 })
  const { shape, drawn, offer, keyAt } = view

  /** Go to the topic or the suggestion in a row. */
  const goTo = (row: number) => {
    const guest = view.guestAt(row)
    const topic = shape.topics[drawn[row] ?? -1]
    if (topic) view.choose(view.editor.keyOf(topic.id))
    else if (guest && guest.kind !== 'draft') view.chooseOffer(guest)
    show(row)
  }
  const type = (letter: string, now: number) => {
    const prefix = now - typed.current.at < TYPING ? typed.current.text : ''
    const text = prefix + letter
    typed.current = { text, at: now }
    // the first letter goes on to the next topic, further ones stay with what was found
    const row = typedRow(view.rows, lowerTitles(shape.topics), view.activeRow + (prefix ? 0 : 1), text)
    if (row >= 0) goTo(drawnAt(view.rows, view.guests, row))
  }
  const run = (action: TreeAction, at: number, now: number) => {
    const key = keyAt(at)
    switch (action.kind) {
      case 'goTo':
        return goTo(action.row)
      case 'type':
        return type(action.letter, now)
      case 'move':
        return mutations.step(key, action.direction)
      case 'open':
        return view.setOpen([key], true)
      case 'close':
        return view.setOpen([key], false)
      case 'openSiblings':
        return view.setOpen(siblingsOf(shape, at).map(keyAt), true)
      case 'parent':
        return view.choose(keyAt(shape.parent[at] ?? 0))
      case 'leave':
        return offer && view.choose(keyAt(offer.at))
      case 'keep':
      case 'discard':
        return offer && mutations.decide(offer, action.kind === 'keep')
      case 'rename':
        return mutations.titles.startRename(key)
      case 'sibling':
      case 'child':
        return mutations.titles.startDraft(action.kind)
      case 'remove':
        return mutations.remove(key)
      case 'toggle':
        return mutations.toggle(key)
      case 'menu':
        return onMenu(key)
      case 'help':
        return onHelp()
      case 'nothing':
        return
    }
  }

  return (event: KeyboardEvent) => {
    if (!view.activeTopic || event.target !== scroller.current) return
    const at = view.rows[view.activeRow] ?? 0
    const searching = view.hits !== undefined
    const isBranch = view.isBranch(at)
    const action = treeAction(event, {
      onOffer: offer !== undefined,
      row: view.active,
      lastRow: drawn.length - 1,
      page: page(),
      isRoot: at === 0,
      isBranch,
      isOpen: isBranch && (searching || !view.isClosed(keyAt(at))),
      searching,
      typing: event.timeStamp - typed.current.at < TYPING,
    })
    if (!action) return
    event.preventDefault()
    run(action, at, event.timeStamp)
  }
}
