import { describe, expect, it } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import { asText, pathOf, treeNodes, visibleNodes } from './tree-rows'

const topic = (id: string, parent_id: string | null, depth: number, times_used = 0): TopicOut => ({
  id,
  parent_id,
  depth,
  title: `Topic ${id}`,
  notes: '',
  enabled: true,
  weight: 1,
  times_used,
  last_used_at: null,
})

const topics = [topic('a', null, 0), topic('b', 'a', 1, 1), topic('c', 'b', 2, 3), topic('d', 'a', 1, 2)]

describe('treeNodes', () => {
  it('counts siblings and uses, subtopics included', () => {
    const facts = treeNodes(topics).map((node) => [node.hasChildren, node.position, node.siblings, node.usedWithin])
    expect(facts).toEqual([
      [true, 1, 1, 6],
      [true, 1, 2, 4],
      [false, 1, 1, 3],
      [false, 2, 2, 2],
    ])
  })

  it('takes a chain of 10,000', () => {
    const chain = Array.from({ length: 10_000 }, (_, depth) =>
      topic(String(depth), depth ? String(depth - 1) : null, depth, 1),
    )
    expect(treeNodes(chain)[0]?.usedWithin).toBe(10_000)
    expect(pathOf(chain, '9999')).toHaveLength(10_000)
  })
})

describe('visibleNodes', () => {
  it('hides what stands below a closed topic, and nothing after it', () => {
    const visible = visibleNodes(treeNodes(topics), new Set(['b']))
    expect(visible.map((node) => node.topic.id)).toEqual(['a', 'b', 'd'])
  })
})

it('writes the format of the import', () => {
  expect(asText(topics)).toBe('- Topic a\n-- Topic b\n--- Topic c\n-- Topic d\n')
})
