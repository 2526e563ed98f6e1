import { describe, expect, test } from 'vitest'
import { treeAction, type Pressed, type Position } from './tree-keys'

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held,
})
const standing = (at: Partial<Position> = {}): Position => ({
  onOffer: false, row: 3, lastRow: 9, page: 4, isRoot: false, isBranch: true, isOpen: true, searching: false, typing: false, ...at,
})

const KEYS = [
  'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'Enter', 'F2', 'F10', 'Insert',
  'Delete', 'Backspace', 'ContextMenu', ' ', '*', '?', 'a', 'Ü', '🌧', 'Tab', 'Escape', 'Shift', 'F5', 'z',
]
const EITHER = [false, true]

/** Every key with every modifier, wherever one can stand. */
function* everything(): Generator<[Pressed, Position]> {
  for (const key of KEYS)
    for (const altKey of EITHER)
      for (const ctrlKey of EITHER)
        for (const shiftKey of EITHER)
          for (const onOffer of EITHER)
            for (const isOpen of EITHER)
              for (const searching of EITHER)
                for (const typing of EITHER)
                  for (const [row, lastRow] of [[0, 0], [0, 9], [3, 9], [9, 9]] as const)
                    yield [
                      press(key, { altKey, ctrlKey, shiftKey }),
                      standing({ onOffer, isOpen, isBranch: isOpen || searching, searching, typing, row, lastRow, isRoot: row === 0 }),
                    ]
}

describe('wherever one stands', () => {
  test('no key leads out of the tree', () => {
    for (const [pressed, at] of everything()) {
      const action = treeAction(pressed, at)
      if (action?.kind === 'goTo') expect(action.row >= 0 && action.row <= at.lastRow, JSON.stringify([pressed, at])).toBe(true)
    }
  })

  test('on something suggested no key changes topics', () => {
    const allowed = new Set(['goTo', 'help', 'leave', 'keep', 'discard'])
    for (const [pressed, at] of everything()) {
      const action = treeAction(pressed, at)
      if (at.onOffer && action) expect(allowed, JSON.stringify(pressed)).toContain(action.kind)
    }
  })

  test('on a topic nothing is kept or discarded', () => {
    for (const [pressed, at] of everything())
      if (!at.onOffer) expect(['leave', 'keep', 'discard']).not.toContain(treeAction(pressed, at)?.kind)
  })

  test('what the browser has keys for stays the browser’s', () => {
    for (const [pressed, at] of everything()) {
      if (['Tab', 'Escape', 'Shift', 'F5'].includes(pressed.key)) expect(treeAction(pressed, at)).toBeUndefined()
      // copying, searching, the menus of the window
      if ((pressed.ctrlKey || pressed.altKey) && [...pressed.key].length === 1) expect(treeAction(pressed, at)).toBeUndefined()
    }
  })

  test('the command key is the control key', () => {
    for (const [pressed, at] of everything())
      if (pressed.ctrlKey) expect(treeAction({ ...pressed, ctrlKey: false, metaKey: true }, at)).toEqual(treeAction(pressed, at))
  })
})

test.each([
  ['down', press('ArrowDown'), standing(), { kind: 'goTo', row: 4 }],
  ['down at the end', press('ArrowDown'), standing({ row: 9 }), { kind: 'goTo', row: 9 }],
  ['up at the beginning', press('ArrowUp'), standing({ row: 0 }), { kind: 'goTo', row: 0 }],
  ['a page', press('PageDown'), standing(), { kind: 'goTo', row: 7 }],
  ['into what is open', press('ArrowRight'), standing(), { kind: 'goTo', row: 4 }],
  ['opens what is closed', press('ArrowRight'), standing({ isOpen: false }), { kind: 'open' }],
  ['nothing within a leaf', press('ArrowRight'), standing({ isOpen: false, isBranch: false }), { kind: 'nothing' }],
  ['closes what is open', press('ArrowLeft'), standing(), { kind: 'close' }],
  ['out of what is closed', press('ArrowLeft'), standing({ isOpen: false }), { kind: 'parent' }],
  ['out of what a search opened', press('ArrowLeft'), standing({ searching: true }), { kind: 'parent' }],
  ['nothing above the root', press('ArrowLeft'), standing({ isOpen: false, isRoot: true }), { kind: 'nothing' }],
  ['moves', press('ArrowUp', { altKey: true }), standing(), { kind: 'move', direction: 'up' }],
  ['a sibling', press('Enter', { ctrlKey: true }), standing(), { kind: 'sibling' }],
  ['a child', press('Enter', { ctrlKey: true, shiftKey: true }), standing(), { kind: 'child' }],
  ['the menu', press('F10', { shiftKey: true }), standing(), { kind: 'menu' }],
  ['not the browser’s menu', press('F10'), standing(), undefined],
  ['on and off', press(' '), standing(), { kind: 'toggle' }],
  ['a space within a title', press(' '), standing({ typing: true }), { kind: 'type', letter: ' ' }],
  ['a letter', press('Ü', { shiftKey: true }), standing(), { kind: 'type', letter: 'Ü' }],
  ['no letter beside a topic', press('a'), standing({ onOffer: true }), undefined],
  ['keeps', press('Enter'), standing({ onOffer: true }), { kind: 'keep' }],
  ['discards', press('Delete'), standing({ onOffer: true }), { kind: 'discard' }],
  ['back to the topic', press('ArrowLeft'), standing({ onOffer: true }), { kind: 'leave' }],
])('%s', (_, pressed, at, action) => {
  expect(treeAction(pressed, at)).toEqual(action)
})
