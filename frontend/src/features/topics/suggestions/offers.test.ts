import { expect, test } from 'vitest'
import type { SuggestionOut, TopicOut } from '@/api/types.gen'
import { drawnAt, guestsAmong, hasGuests, withGuests, type Draft } from './offers'
import { treeShape, visibleRows } from '@/features/topics/tree/tree-rows'

const DEPTHS = [0, 1, 2, 2, 1, 2]
const topics = DEPTHS.map((depth, at) => ({ id: `t${at}`, depth, title: `T${at}`, enabled: true, times_used: 0 }) as TopicOut)
const shape = treeShape(topics)

const round = (at: number, more: Partial<SuggestionOut> = {}, titles = ['A', 'B']) => ({
  at,
  round: {
    id: `r${at}`,
    topic_id: `t${at}`,
    state: 'succeeded',
    titles: titles.map((title, index) => ({ index, title, state: 'open' })),
    ...more,
  } as SuggestionOut,
})

function outline(rounds: ReturnType<typeof round>[], closed: string[] = [], draft?: Draft) {
  const isClosed = (id: string) => closed.includes(id)
  const rows = visibleRows(shape, isClosed)
  const guests = guestsAmong(shape, rows, rounds, isClosed, draft)
  const drawn = withGuests(rows, guests)
  rows.forEach((at, row) => expect(drawn[drawnAt(rows, guests, row)]).toBe(at))
  return drawn.map((one) => (one >= 0 ? `t${one}` : guests[-1 - one]!.id)).join(' ')
}

test('suggestions stand behind the children of their topic', () => {
  expect(outline([])).toBe('t0 t1 t2 t3 t4 t5')
  expect(outline([round(1)])).toBe('t0 t1 t2 t3 r1-0 r1-1 t4 t5')
  expect(outline([round(2)])).toBe('t0 t1 t2 r2-0 r2-1 t3 t4 t5')
})

test('where several branches end, the innermost goes on first', () => {
  expect(outline([round(0), round(4), round(5), round(3)])).toBe(
    't0 t1 t2 t3 r3-0 r3-1 t4 t5 r5-0 r5-1 r4-0 r4-1 r0-0 r0-1',
  )
})

test('what is under a closed topic is not shown', () => {
  expect(outline([round(1), round(3), round(0)], ['t1'])).toBe('t0 t1 t4 t5 r0-0 r0-1')
  expect(outline([round(5)], ['t5'])).toBe('t0 t1 t2 t3 t4 t5')
})

test('a new topic stands before what is only suggested', () => {
  const draft = { kind: 'draft', id: 'draft', before: 4, depth: 2, place: { parentId: 't1', afterId: 't3' } } as const
  expect(outline([round(1)], [], draft)).toBe('t0 t1 t2 t3 draft r1-0 r1-1 t4 t5')
})

test('a round without titles is one row, one that is decided none', () => {
  expect(outline([round(1, { state: 'running' }, [])])).toBe('t0 t1 t2 t3 r1 t4 t5')
  expect(outline([round(1, { state: 'failed' }, [])])).toBe('t0 t1 t2 t3 r1 t4 t5')
  const over = round(1, { titles: [{ index: 0, title: 'A', state: 'accepted' }] })
  expect(hasGuests(over.round)).toBe(false)
  expect(outline([over])).toBe('t0 t1 t2 t3 t4 t5')
})
