import { expect, test } from 'vitest'
import type { DayOut, SetupStepOut } from '@/api/types.gen'
import { highestOf, isEmpty, labelledDays, sumOf, totalOf } from '@/components/bars'
import { costBars, postBars, statusesIn, tokenBars } from './figures'
import { openSteps } from './steps'

const nothing = { draft: 0, complete: 0, published: 0, failed: 0, unknown: 0 }
const day = (name: string, more: Partial<DayOut> = {}): DayOut => ({
  day: name,
  posts: nothing,
  articles: nothing,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  cost_known: true,
  ...more,
})
const step = (key: SetupStepOut['key'], done: boolean): SetupStepOut => ({ key, done })

test('the next step is the first that is open, even if a later one is done', () => {
  const steps = [step('verify_email', true), step('connect_account', false), step('create_template', true), step('create_assistant', false)]
  const { next, then } = openSteps(steps)
  expect(next?.key).toBe('connect_account')
  expect(then.map(({ key }) => key)).toEqual(['create_assistant'])
})

test('a finished setup has no next step', () => {
  expect(openSteps([step('verify_email', true)])).toEqual({ next: undefined, then: [] })
})

test('only statuses that occur are drawn, what is published at the bottom', () => {
  const days = [day('2026-11-20', { posts: { ...nothing, failed: 1, unknown: 0 } }), day('2026-11-21', { posts: { ...nothing, published: 2 } })]
  expect(statusesIn(days)).toEqual(['published', 'failed'])
  expect(statusesIn([day('2026-11-21')])).toEqual([])
  expect(totalOf(postBars(days))).toBe(3)
})

test('tokens that were read and written stand on one another', () => {
  const bars = tokenBars([day('2026-11-21', { input_tokens: 30, output_tokens: 12 })])
  expect(bars).toEqual([{ day: '2026-11-21', values: { input: 30, output: 12 } }])
  expect(totalOf(bars)).toBe(42)
})

test('an unknown cost draws nothing, but is not none', () => {
  const [unknown, none] = costBars([day('2026-11-20', { cost_micros: null, cost_known: false }), day('2026-11-21')])
  expect([unknown, none].map((bar) => bar && [totalOf([bar]), isEmpty(bar)])).toEqual([[0, false], [0, true]])
})

test.each([
  [[1_000, 2_000], 3_000],
  [[0, 0], 0],
  [[0, null], null],
  // what is known of it, as the note under the chart says
  [[1_000, null], 1_000],
  [[], 0],
])('costs of %j are %j together', (costs, sum) => {
  const bars = costBars(costs.map((cost_micros) => day('2026-11-21', { cost_micros })))
  expect(sumOf(bars, 'cost')).toBe(sum)
})

test('the highest bar is the latest of the highest', () => {
  const bars = ['18', '19', '20'].map((date, index) => day(`2026-11-${date}`, { posts: { ...nothing, published: [2, 2, 1][index] ?? 0 } }))
  expect(highestOf(postBars(bars))?.day).toBe('2026-11-19')
  expect(highestOf(postBars([day('2026-11-21')]))).toBeUndefined()
  expect(highestOf([])).toBeUndefined()
})

test('each day of two weeks is named, and of a month one in each week, today last', () => {
  const bars = Array.from({ length: 30 }, (_, index) => ({ day: String(index), values: {} }))
  expect(labelledDays(bars.slice(-14))).toHaveLength(14)
  expect(labelledDays(bars)).toEqual(['1', '8', '15', '22', '29'])
  expect(labelledDays([])).toEqual([])
})
