import { describe, expect, it } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import {
  enabledCount,
  searchRows,
  hasChildren,
  pathText,
  pathTo,
  rowOf,
  siblingsOf,
  shownRow,
  treeShape,
  typedRow,
  visibleRows,
} from './tree-rows'

const topic = (id: string, parent_id: string | null, depth: number, more: Partial<TopicOut> = {}): TopicOut => ({
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
  ...more,
})

const topics = [
  topic('a', null, 0),
  topic('b', 'a', 1, { times_used: 1, enabled: false }),
  topic('c', 'b', 2, { times_used: 3 }),
  topic('d', 'a', 1, { times_used: 2 }),
]
const shape = treeShape(topics)

describe('treeShape', () => {
  it('counts siblings and uses, subtopics included', () => {
    const facts = topics.map((_, at) => [
      hasChildren(shape, at),
      shape.position[at],
      shape.siblings[at],
      shape.usedWithin[at],
    ])
    expect(facts).toEqual([
      [true, 1, 1, 6],
      [true, 1, 2, 4],
      [false, 1, 1, 3],
      [false, 2, 2, 2],
    ])
  })

  it('knows that what stands below a disabled topic is not picked either', () => {
    expect([...shape.disabled]).toEqual([0, 1, 1, 0])
    expect(enabledCount(shape)).toBe(2)
  })

  it('finds the siblings of a topic, those below them left out', () => {
    expect([0, 1, 2, 3].map((at) => siblingsOf(shape, at))).toEqual([[0], [1, 3], [2], [1, 3]])
  })

  it('takes a chain of 10,000', () => {
    const chain = treeShape(
      Array.from({ length: 10_000 }, (_, depth) =>
        topic(String(depth), depth ? String(depth - 1) : null, depth, { times_used: 1 }),
      ),
    )
    expect(chain.usedWithin[0]).toBe(10_000)
    expect(chain.end[0]).toBe(10_000)
    expect(pathTo(chain, 9_999)).toHaveLength(10_000)
    expect(pathText(pathTo(chain, 9_999))).toBe(
      'Topic 0 / Topic 1 / Topic 2 / … / Topic 9996 / Topic 9997 / Topic 9998 / Topic 9999',
    )
    expect(searchRows(chain, 'topic 9999').rows).toHaveLength(10_000)
  })
})

describe('rows', () => {
  it('hide what stands below a closed topic, and nothing after it', () => {
    const rows = visibleRows(shape, (id) => id === 'b')
    expect(rows).toEqual([0, 1, 3])
    expect([rowOf(rows, 3), rowOf(rows, 2)]).toEqual([2, -1])
    expect(shownRow(shape, rows, 2)).toBe(1)
  })

  it('keep what stands above a match', () => {
    expect(searchRows(shape, 'TOPIC C')).toEqual({ rows: [0, 1, 2], matches: 1 })
    expect(searchRows(shape, 'nothing')).toEqual({ rows: [], matches: 0 })
  })

  it('are found by their first letters, from the current one on and around', () => {
    const titles = ['rain', 'roof', 'wind', 'rack']
    expect(typedRow([0, 1, 2, 3], titles, 1, 'R')).toBe(1)
    expect(typedRow([0, 1, 2, 3], titles, 2, 'ra')).toBe(3)
    expect(typedRow([0, 1, 2], titles, 2, 'ra')).toBe(0)
    expect(typedRow([0, 1, 2], titles, 2, 'x')).toBe(-1)
  })
})
