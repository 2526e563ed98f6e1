import { attachInstruction, type Instruction } from '@atlaskit/pragmatic-drag-and-drop-hitbox/tree-item'
import { describe, expect, test } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import { draggedKey, dropPlace } from './row-dragging'
import { applyEdit, type Topics } from './tree-edits'

const topic = (id: string, parent_id: string | null, depth: number): TopicOut => ({
  id,
  parent_id,
  depth,
  title: id,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})

/** r(a(a1 a2) b c) */
const TREE: Topics = [
  topic('r', null, 0),
  topic('a', 'r', 1),
  topic('a1', 'a', 2),
  topic('a2', 'a', 2),
  topic('b', 'r', 1),
  topic('c', 'r', 1),
]

const ROW = 40 // px
const HEIGHTS = { upper: 2, middle: 20, lower: 38 }

/** Where the pointer is over a row, as the library reads it. */
function over(part: keyof typeof HEIGHTS, block: Instruction['type'][] = []) {
  const element = {
    getBoundingClientRect: () => ({ top: 0, bottom: ROW, left: 0, right: 200, height: ROW, width: 200, x: 0, y: 0 }),
  }
  return attachInstruction(
    {},
    {
      element: element as Element,
      input: { clientX: 50, clientY: HEIGHTS[part] } as Parameters<typeof attachInstruction>[1]['input'],
      currentLevel: 0,
      indentPerLevel: 0,
      mode: 'standard',
      block: block,
    },
  )
}

/** The tree after the topic was dropped there, each topic as deep as its dots say. */
function dropped(id: string, part: keyof typeof HEIGHTS, target: string): string {
  const place = dropPlace(TREE, id, over(part), target)
  const after = place ? applyEdit(TREE, { kind: 'move', id, place }) : TREE
  return after.map((one) => '.'.repeat(one.depth) + one.id).join(' ')
}

const AS_IT_WAS = 'r .a ..a1 ..a2 .b .c'

describe('a topic that is dropped', () => {
  test.each([
    ['c', 'upper', 'a', 'r .c .a ..a1 ..a2 .b'],
    ['c', 'upper', 'b', 'r .a ..a1 ..a2 .c .b'],
    ['c', 'upper', 'a2', 'r .a ..a1 ..c ..a2 .b'],
    ['c', 'lower', 'a1', 'r .a ..a1 ..c ..a2 .b'],
    // behind the whole branch, not into it
    ['c', 'lower', 'a', 'r .a ..a1 ..a2 .c .b'],
    ['c', 'middle', 'a', 'r .a ..a1 ..a2 ..c .b'],
    ['c', 'middle', 'b', 'r .a ..a1 ..a2 .b ..c'],
    ['a', 'middle', 'c', 'r .b .c ..a ...a1 ...a2'],
    ['a1', 'middle', 'r', 'r .a ..a2 .b .c .a1'],
    // behind the root is nothing: it goes into it
    ['a1', 'lower', 'r', 'r .a ..a2 .b .c .a1'],
  ] as const)('%s on the %s part of %s stands there', (id, part, target, tree) => {
    expect(dropped(id, part, target)).toBe(tree)
  })

  test.each([
    ['b', 'upper', 'c'],
    ['b', 'lower', 'a'],
    ['a2', 'middle', 'a'],
    ['c', 'upper', 'r'],
  ] as const)('%s on the %s part of %s stays where it is', (id, part, target) => {
    expect(dropped(id, part, target)).toBe(AS_IT_WAS)
  })

  test.each(['upper', 'middle', 'lower'] as const)('on the %s part of a row that takes none goes nowhere', (part) => {
    const forbidden = over(part, ['reorder-above', 'reorder-below', 'make-child'])
    expect(dropPlace(TREE, 'a', forbidden, 'a1')).toBeUndefined()
  })

  test('on nothing goes nowhere', () => {
    expect(dropPlace(TREE, 'a', {}, 'b')).toBeUndefined()
  })

  test('on a topic that is gone goes nowhere', () => {
    for (const part of ['upper', 'middle', 'lower'] as const)
      expect(dropPlace(TREE, 'a', over(part), 'gone')).toBeUndefined()
  })
})

test.each<[Record<string, unknown>, string | undefined]>([
  [{ treeId: 'tree', topicKey: 'a' }, 'a'],
  [{ treeId: 'other', topicKey: 'a' }, undefined],
  [{ treeId: 'tree' }, undefined],
  [{ files: [] }, undefined],
])('of what is dragged only topics of the same tree count: %j', (data, key) => {
  expect(draggedKey(data, 'tree')).toBe(key)
})
