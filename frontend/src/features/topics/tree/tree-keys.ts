import type { Direction } from './tree-edits'

type Way = 'next' | 'previous' | 'pageDown' | 'pageUp' | 'first' | 'last' | 'help'
type OfferDeed = Way | 'leave' | 'keep' | 'discard'
type TopicDeed =
  | Way
  | Direction
  | 'inwards'
  | 'outwards'
  | 'openSiblings'
  | 'rename'
  | 'sibling'
  | 'child'
  | 'remove'
  | 'toggle'
  | 'menu'

/** What a key can be for in a tree. */
type Deed = OfferDeed | TopicDeed

type Keys<Name> = Partial<Record<string, Name>>

const WAYS: Keys<Way> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  PageDown: 'pageDown',
  PageUp: 'pageUp',
  Home: 'first',
  End: 'last',
  '?': 'help',
}
const ON_OFFER: Keys<OfferDeed> = { ...WAYS, ArrowLeft: 'leave', Enter: 'keep', Delete: 'discard' }
const ON_TOPIC: Keys<TopicDeed> = {
  ...WAYS,
  ArrowRight: 'inwards',
  ArrowLeft: 'outwards',
  '*': 'openSiblings',
  Enter: 'rename',
  F2: 'rename',
  Insert: 'sibling',
  Delete: 'remove',
  ContextMenu: 'menu',
  ' ': 'toggle',
}
const WITH_SHIFT: Keys<TopicDeed> = { Insert: 'child', F10: 'menu' }
const WITH_ALT: Keys<Direction> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

export interface Pressed {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

/** What a key is for where one stands: on a topic, or on something suggested. */
function deedOf(pressed: Pressed, onOffer: boolean): Deed | undefined {
  const { key, altKey, shiftKey } = pressed
  const command = pressed.ctrlKey || pressed.metaKey
  if (onOffer) return command || altKey ? undefined : ON_OFFER[key]
  if (altKey) return command ? undefined : WITH_ALT[key]
  if (command) {
    if (key === 'Enter') return shiftKey ? 'child' : 'sibling'
    return key === 'Backspace' ? 'remove' : undefined
  }
  return (shiftKey ? WITH_SHIFT[key] : undefined) ?? ON_TOPIC[key]
}

/** Whether it is a letter of a title that is looked for. */
const isLetter = ({ key, altKey, ctrlKey, metaKey }: Pressed): boolean =>
  [...key].length === 1 && !altKey && !ctrlKey && !metaKey

/** Where one stands in a tree when a key is pressed. Rows are those that are drawn, from 0. */
export interface Standing {
  /** On something suggested, not on a topic. */
  onOffer: boolean
  row: number
  lastRow: number
  /** Rows of one page. */
  page: number
  isRoot: boolean
  /** Has something to open or close. */
  isBranch: boolean
  isOpen: boolean
  /** Of what was searched for all is open. */
  searching: boolean
  /** A letter of a title came just before. */
  typing: boolean
}

/** What the tree does for a key. */
export type TreeAction =
  | { kind: 'goTo'; row: number }
  | { kind: 'move'; direction: Direction }
  | { kind: 'type'; letter: string }
  | { kind: Exclude<Deed, Way | Direction | 'inwards' | 'outwards'> | 'help' }
  | { kind: 'open' | 'close' | 'parent' | 'nothing' }

/** What the tree does for a key; undefined for keys that are not the tree's, which the browser keeps. */
export function treeAction(pressed: Pressed, standing: Standing): TreeAction | undefined {
  const deed = deedOf(pressed, standing.onOffer)
  // between two letters of a title a space is one of them
  if (deed && !(deed === 'toggle' && standing.typing)) return actionOf(deed, standing)
  return !standing.onOffer && isLetter(pressed) ? { kind: 'type', letter: pressed.key } : undefined
}

function actionOf(deed: Deed, { row, lastRow, page, isRoot, isBranch, isOpen, searching }: Standing): TreeAction {
  const goTo = (wanted: number): TreeAction => ({ kind: 'goTo', row: Math.min(Math.max(wanted, 0), lastRow) })
  switch (deed) {
    case 'next':
      return goTo(row + 1)
    case 'previous':
      return goTo(row - 1)
    case 'pageDown':
      return goTo(row + page)
    case 'pageUp':
      return goTo(row - page)
    case 'first':
      return goTo(0)
    case 'last':
      return goTo(lastRow)
    case 'inwards':
      return isOpen ? goTo(row + 1) : { kind: isBranch ? 'open' : 'nothing' }
    case 'outwards':
      return { kind: isOpen && !searching ? 'close' : isRoot ? 'nothing' : 'parent' }
    case 'up':
    case 'down':
    case 'in':
    case 'out':
      return { kind: 'move', direction: deed }
    default:
      return { kind: deed }
  }
}
