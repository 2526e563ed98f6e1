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
export type Deed = OfferDeed | TopicDeed

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

interface Pressed {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

/** What a key is for where one stands: on a topic, or on something suggested. */
export function deedOf(pressed: Pressed, onOffer: boolean): Deed | undefined {
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
export const isLetter = ({ key, altKey, ctrlKey, metaKey }: Pressed): boolean =>
  [...key].length === 1 && !altKey && !ctrlKey && !metaKey
