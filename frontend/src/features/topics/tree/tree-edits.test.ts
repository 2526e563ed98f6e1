import { describe, expect, it } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import {
  applyEdit,
  branchOf,
  placeAfter,
  placeInside,
  placeOf,
  placeTowards,
  renamed,
  renameId,
  type Direction,
  type Edit,
  type Topics,
} from './tree-edits'

const topic = (id: string, parent_id: string | null, depth: number): TopicOut => ({
  id,
  parent_id,
  depth,
  title: `Topic ${id}`,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})

/** r(a(a1 a2) b(b1(b11)) c) */
const TREE: Topics = [
  topic('r', null, 0),
  topic('a', 'r', 1),
  topic('a1', 'a', 2),
  topic('a2', 'a', 2),
  topic('b', 'r', 1),
  topic('b1', 'b', 2),
  topic('b11', 'b1', 3),
  topic('c', 'r', 1),
]

const drawn = (topics: Topics) => topics.map(({ id, depth }) => '.'.repeat(depth) + id).join(' ')

/** What makes a list a tree in reading order: one root, and each topic right under the open branch of its parent. */
function expectTree(topics: Topics) {
  const open: TopicOut[] = []
  for (const [at, one] of topics.entries()) {
    open.length = Math.min(open.length, one.depth)
    expect(one.depth).toBe(open.length)
    expect(one.parent_id).toBe(at === 0 ? null : open.at(-1)?.id)
    open.push(one)
  }
  expect(new Set(topics.map(({ id }) => id)).size).toBe(topics.length)
}

/** The same numbers for the same seed, from 0 up to 1. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

describe('one edit', () => {
  it('adds as the first, behind a sibling, and at the end', () => {
    const add = (parentId: string, afterId: string | null): Edit => ({
      kind: 'add',
      id: 'x',
      title: 'X',
      place: { parentId, afterId },
    })
    expect(drawn(applyEdit(TREE, add('a', null)))).toBe('r .a ..x ..a1 ..a2 .b ..b1 ...b11 .c')
    expect(drawn(applyEdit(TREE, add('r', 'a')))).toBe('r .a ..a1 ..a2 .x .b ..b1 ...b11 .c')
    expect(drawn(applyEdit(TREE, add('b11', null)))).toBe('r .a ..a1 ..a2 .b ..b1 ...b11 ....x .c')
    expect(applyEdit(TREE, add('r', 'a1'))).toBe(TREE)
    expect(applyEdit(TREE, add('gone', null))).toBe(TREE)
  })

  it('moves a whole branch, never below itself, and not the root', () => {
    const move = (id: string, parentId: string, afterId: string | null) =>
      applyEdit(TREE, { kind: 'move', id, place: { parentId, afterId } })
    expect(drawn(move('b', 'a', 'a1'))).toBe('r .a ..a1 ..b ...b1 ....b11 ..a2 .c')
    expect(drawn(move('c', 'r', null))).toBe('r .c .a ..a1 ..a2 .b ..b1 ...b11')
    expect(move('b', 'b11', null)).toBe(TREE)
    expect(move('b', 'b', null)).toBe(TREE)
    expect(move('b', 'r', 'a')).toBe(TREE)
    expect(move('r', 'a', null)).toBe(TREE)
  })

  it('keeps what did not change, so that only changed rows are drawn again', () => {
    const next = applyEdit(TREE, { kind: 'change', id: 'a1', changes: { enabled: false } })
    expect(next.map((one, at) => one === TREE[at])).toEqual([true, true, false, true, true, true, true, true])
    expect(applyEdit(TREE, { kind: 'change', id: 'a1', changes: { title: 'Topic a1' } })).toBe(TREE)
  })

  it('takes the ids that the server gave meanwhile', () => {
    const ids = new Map([['new', 'n']])
    const idOf = (id: string) => ids.get(id) ?? id
    const added = applyEdit(TREE, { kind: 'add', id: 'new', title: 'N', place: { parentId: 'c', afterId: null } })
    const below = renamed({ kind: 'add', id: 'y', title: 'Y', place: { parentId: 'new', afterId: null } }, idOf)
    expect(drawn(applyEdit(renameId(added, 'new', 'n'), below))).toContain('.c ..n ...y')
  })
})

describe('one step by the keyboard', () => {
  const step = (id: string, direction: Direction) => {
    const place = placeTowards(TREE, id, direction)
    return place ? drawn(applyEdit(TREE, { kind: 'move', id, place })) : undefined
  }

  it('goes up, down, in and out', () => {
    expect(step('b', 'up')).toBe('r .b ..b1 ...b11 .a ..a1 ..a2 .c')
    expect(step('a', 'down')).toBe('r .b ..b1 ...b11 .a ..a1 ..a2 .c')
    expect(step('b', 'in')).toBe('r .a ..a1 ..a2 ..b ...b1 ....b11 .c')
    expect(step('a1', 'out')).toBe('r .a ..a2 .a1 .b ..b1 ...b11 .c')
  })

  it('knows where there is no way', () => {
    expect([step('a', 'up'), step('c', 'down'), step('a', 'in'), step('a', 'out'), step('r', 'down')]).toEqual(
      Array(5).fill(undefined),
    )
  })
})

it('finds the places around a topic', () => {
  expect(placeOf(TREE, 'b')).toEqual({ parentId: 'r', afterId: 'a' })
  expect(placeOf(TREE, 'a1')).toEqual({ parentId: 'a', afterId: null })
  expect(placeInside(TREE, 'r')).toEqual({ parentId: 'r', afterId: 'c' })
  expect(placeAfter(TREE, 'r')).toEqual({ parentId: 'r', afterId: 'c' })
  expect(placeAfter(TREE, 'a1')).toEqual({ parentId: 'a', afterId: 'a1' })
})

it('brings back what was deleted, even when the sibling before it is gone', () => {
  const deletion = Promise.resolve({ deletion_id: 'd' })
  const restore: Edit = {
    kind: 'restore',
    id: 'b',
    branch: branchOf(TREE, 'b'),
    place: { parentId: 'r', afterId: 'a' },
    deletion,
  }
  const without = applyEdit(TREE, { kind: 'remove', id: 'b' })
  expect(drawn(without)).toBe('r .a ..a1 ..a2 .c')
  expect(applyEdit(without, restore)).toEqual(TREE)
  expect(applyEdit(TREE, restore)).toBe(TREE)
  const later = applyEdit(without, { kind: 'remove', id: 'a' })
  expect(drawn(applyEdit(later, restore))).toBe('r .b ..b1 ...b11 .c')
})

it('stays a tree through any edits, loses nothing, and every removal can be taken back', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomFrom(seed)
    const below = (count: number) => Math.floor(random() * count)
    let topics = TREE
    let made = 0
    for (let step = 0; step < 60; step++) {
      const id = topics[below(topics.length)]?.id ?? 'r'
      const other = topics[below(topics.length)]?.id ?? 'r'
      const place = [placeInside(topics, other), placeAfter(topics, other), { parentId: other, afterId: null }][below(3)]
      if (!place) throw new Error('every topic has places around it')
      const before = topics
      switch (below(4)) {
        case 0:
          topics = applyEdit(topics, { kind: 'add', id: `n${++made}`, title: `New ${made}`, place })
          expect(topics).toHaveLength(before.length + 1)
          break
        case 1: {
          topics = applyEdit(topics, { kind: 'move', id, place })
          expect(topics.map((one) => one.id).sort()).toEqual(before.map((one) => one.id).sort())
          // a move there and back changes nothing
          const back = placeOf(before, id)
          if (back) expect(applyEdit(topics, { kind: 'move', id, place: back })).toEqual(before)
          break
        }
        case 2:
          topics = applyEdit(topics, { kind: 'change', id, changes: { title: `Renamed ${step}` } })
          break
        default: {
          const branch = branchOf(topics, id)
          const stood = placeOf(topics, id)
          topics = applyEdit(topics, { kind: 'remove', id })
          if (!stood) {
            expect(topics).toBe(before)
            break
          }
          expect(topics).toHaveLength(before.length - branch.length)
          const deletion = Promise.resolve({ deletion_id: 'd' })
          const back = applyEdit(topics, { kind: 'restore', id, branch, place: stood, deletion })
          expect(back).toEqual(before)
          if (random() < 0.7) topics = back
        }
      }
      expectTree(topics)
    }
  }
})

it('takes a chain of 10,000', () => {
  const chain = Array.from({ length: 10_000 }, (_, depth) =>
    topic(String(depth), depth ? String(depth - 1) : null, depth),
  )
  const moved = applyEdit(chain, { kind: 'move', id: '5000', place: { parentId: '10', afterId: '11' } })
  expect(moved).toHaveLength(10_000)
  expectTree(moved.slice(0, 200))
  expect(moved.at(-1)?.depth).toBe(5010)
})
