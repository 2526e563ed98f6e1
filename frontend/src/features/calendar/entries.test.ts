import { expect, test } from 'vitest'
import { Mode, RunState, type CalendarOut } from '@/api/types.gen'
import { entriesOf, lanesIn, lanesOf, numberIn, numberOf, withoutDense } from './entries'

const at = (from: string, to: string) => ({ start: new Date(`2026-11-25T${from}`), end: new Date(`2026-11-25T${to}`) })

test.each([
  [[], undefined],
  [[at('07:00', '07:45'), at('07:45', '08:30')], 1],
  [[at('07:00', '07:45'), at('07:30', '08:15'), at('07:44', '08:29'), at('08:00', '08:45')], 3],
])('as many lanes as are drawn at one moment', (entries, lanes) => {
  expect(lanesOf(entries).get('2026-11-25')).toBe(lanes)
})

test('a busy day makes no other one wider', () => {
  const next = { start: new Date('2026-11-26T07:00'), end: new Date('2026-11-26T07:45') }
  expect([...lanesOf([at('07:00', '07:45'), at('07:00', '07:45'), next])]).toEqual([
    ['2026-11-25', 2],
    ['2026-11-26', 1],
  ])
})

const found: CalendarOut = {
  time_zone: 'UTC',
  posts: [],
  runs: [],
  planned: Array.from({ length: 90 }, (_, n) => ({
    assistant_id: `assistant ${n % 9}`,
    assistant_name: `Tips ${n % 9}`,
    slot: `2026-11-25T${n < 45 ? '09' : '10'}:${String(n % 45).padStart(2, '0')}:00Z`,
    time_zone: 'UTC',
    mode: Mode.DRAFT,
    channels: [],
    is_next: false,
    others: n === 89 ? 3 : 0,
    last: n === 89 ? '2026-11-25T10:59:00Z' : null,
  })),
  left_out: [],
  more: [{ day: '2026-11-25', count: 4 }],
}

test.each([lanesIn('agenda', false), lanesIn('day', false), lanesIn('week', true)])('every view has as many entries, however many of them stand for others (%s lanes)', (lanes) => {
  const drawn = withoutDense(entriesOf(found, 'UTC', ''), lanes)
  expect(numberIn(drawn)).toBe(93)
  expect(numberOf(found)).toBe(97)
  if (!lanes) return
  expect(drawn).toHaveLength(2)
  expect(drawn[1]?.others).toEqual({ count: 47, last: '2026-11-25T10:59:00Z', mixed: true })
})

test('what stands for several that stand differently has the status of none of them', () => {
  const run = (state: RunState, minute: number) => ({
    id: `${state} ${minute}`,
    assistant_id: 'assistant',
    assistant_name: 'Tips',
    slot: `2026-11-25T09:${String(minute).padStart(2, '0')}:00Z`,
    state,
    reason: null,
    topic_title: null, needs_login: false,
  })
  const states = [RunState.MISSED, RunState.MISSED, RunState.SKIPPED, RunState.FAILED, RunState.PREPARING]
  const drawn = withoutDense(entriesOf({ ...found, planned: [], more: [], runs: states.map(run) }, 'UTC', ''), 3)
  expect(drawn.map(({ others }) => [others?.count, others?.various])).toEqual([
    [1, undefined],
    [undefined, undefined],
    [1, true],
  ])
})
