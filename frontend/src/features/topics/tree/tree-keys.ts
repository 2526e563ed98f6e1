import type { Direction } from './tree-edits'

type Navigation = 'next' | 'previous' | 'pageDown' | 'pageUp' | 'first' | 'last' | 'help'
type OfferCommand = Navigation | 'leave' | 'keep' | 'discard'
type TopicCommand =
  | Navigation
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

/** The command of a key in a tree. */
type Command = OfferCommand | TopicCommand

type KeyMap<Name> = Partial<Record<string, Name>>

const NAVIGATION: KeyMap<Navigation> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  PageDown: 'pageDown',
  PageUp: 'pageUp',
  Home: 'first',
  End: 'last',
  '?': 'help',
}
const ON_OFFER: KeyMap<OfferCommand> = { ...NAVIGATION, ArrowLeft: 'leave', Enter: 'keep', Delete: 'discard' }
const ON_TOPIC: KeyMap<TopicCommand> = {
  ...NAVIGATION,
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
const WITH_SHIFT: KeyMap<TopicCommand> = { Insert: 'child', F10: 'menu' }
const WITH_ALT: KeyMap<Direction> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

export interface Pressed {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

/** Return the command of a key, on a topic or on a suggestion. */
function commandOf(pressed: Pressed, onOffer: boolean): Command | undefined {
  const { key, altKey, shiftKey } = pressed
  const withControl = pressed.ctrlKey || pressed.metaKey
  if (onOffer) return withControl || altKey ? undefined : ON_OFFER[key]
  if (altKey) return withControl ? undefined : WITH_ALT[key]
  if (withControl) {
    if (key === 'Enter') return shiftKey ? 'child' : 'sibling'
    return key === 'Backspace' ? 'remove' : undefined
  }
  return (shiftKey ? WITH_SHIFT[key] : undefined) ?? ON_TOPIC[key]
}

/** Return whether the key types a letter, which searches for a title. */
const isLetter = ({ key, altKey, ctrlKey, metaKey }: Pressed): boolean =>
  [...key].length === 1 && !altKey && !ctrlKey && !metaKey

/** Where the focus is in a tree when a key is pressed. Rows are those that are drawn, from 0. */
export interface Position {
  /** On a suggestion, not on a topic. */
  onOffer: boolean
  row: number
  lastRow: number
  /** The number of rows in view. */
  page: number
  isRoot: boolean
  /** The topic can be opened and closed. */
  isBranch: boolean
  isOpen: boolean
  /** A search is shown, in which all topics are open. */
  searching: boolean
  /** A letter of a title was typed just before. */
  typing: boolean
}

/** What the tree does after a key. */
export type TreeAction =
  | { kind: 'goTo'; row: number }
  | { kind: 'move'; direction: Direction }
  | { kind: 'type'; letter: string }
  | { kind: Exclude<Command, Navigation | Direction | 'inwards' | 'outwards'> | 'help' }
  | { kind: 'open' | 'close' | 'parent' | 'nothing' }

/** Return what the tree does after a key; undefined for keys that the browser handles. */
export function treeAction(pressed: Pressed, position: Position): TreeAction | undefined {
  const command = commandOf(pressed, position.onOffer)
  // between two letters, a space belongs to the title
  if (command && !(command === 'toggle' && position.typing)) return actionOf(command, position)
  return !position.onOffer && isLetter(pressed) ? { kind: 'type', letter: pressed.key } : undefined
}

function actionOf(command: Command, { row, lastRow, page, isRoot, isBranch, isOpen, searching }: Position): TreeAction {
  const goTo = (target: number): TreeAction => ({ kind: 'goTo', row: Math.min(Math.max(target, 0), lastRow) })
  switch (command) {
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
      return { kind: 'move', direction: command }
    default:
      return { kind: command }
  }
}
