import { expect, test } from 'vitest'
import type { DeliveryEvidenceOut, RunEvidenceOut, StepEvidenceOut } from '@/api/types.gen'
import { createFormat } from '@/i18n/format'
import { answeredAt, asDetail, costOf, failedAt, latenessText, momentsOf, runAt, shortTime, tokensText, waitedFor, waitedForAnswer, wentOutAt } from './run-view'

const en = createFormat('en', 'UTC')
const de = createFormat('de', 'UTC')

const step = (kind: StepEvidenceOut['kind'], from: string, to: string | null): StepEvidenceOut => ({
  kind, state: to ? 'done' : 'active', attempt: 1, started_at: `2026-10-21T${from}Z`, finished_at: to && `2026-10-21T${to}Z`,
  facts: { title: 'Rain' }, failures: [],
})

const delivery = (changes: Partial<DeliveryEvidenceOut> = {}): DeliveryEvidenceOut => ({
  id: 'd', account_id: 'a', account_name: 'Mara', posts_url: 'https://network.example/in/me/', channel: 'linkedin', state: 'published', attempts: 1,
  permalink: 'https://example.org', error_code: null, error_detail: null,
  called_at: '2026-10-21T09:00:00.300Z', held_until: null, retry_at: null, settled_at: '2026-10-21T09:00:01Z', decided_at: null, removable: 'yes', removal: null, comment: null, comment_left: null, content: null, failures: [], ...changes,
})

const run = (changes: Partial<RunEvidenceOut> = {}): RunEvidenceOut => ({
  approval: null, id: 'r', assistant_id: 'x', slot: '2026-10-21T09:00:00Z', planned_at: null, moved: false, by_hand: false, decide_until: null, state: 'published', reason: null, topic_title: 'Rain', is_article: false,
  post_id: 'p', created_at: '2026-10-21T08:45:00Z', finished_at: '2026-10-21T09:00:02Z', input_tokens: 1088,
  output_tokens: 214, cost_micros: 3200, cost_known: true, currency: 'EUR', time_zone: 'Europe/Berlin', attempts: 1,
  published_at: '2026-10-21T09:00:00.300Z', lateness_ms: 300, mode: 'automatic', wants_image: false, topic_path: [],
  content: 'Rain.', first_file: null, calls: [], texts: [], found: [], by_link: false, edited: false, brand: null, text_template: null, image_template: null, earlier_id: null, later_id: null,
  steps: [step('topic', '08:45:00', '08:45:00'), step('text', '08:45:00', '08:45:04'), step('check', '08:45:05', '08:45:05')],
  deliveries: [delivery()], ...changes,
})

test.each([
  [null, '—', '—'],
  [0, '0\u00a0s', '0\u00a0s'],
  [-20, '0\u00a0s', '0\u00a0s'],
  [340, '0.3\u00a0s', '0,3\u00a0s'],
  [-340, '−0.3\u00a0s', '−0,3\u00a0s'],
  [12_400, '12\u00a0s', '12\u00a0s'],
  [125_000, '2\u00a0mins 5\u00a0secs', '2\u00a0Min. 5\u00a0Sek.'],
])('%s ms late is %s', (late, english, german) => {
  expect(latenessText(en, late)).toBe(english)
  expect(latenessText(de, late)).toBe(german)
})

test('unknown figures are no zeros', () => {
  expect(tokensText(en, run())).toBe('1,088 / 214')
  expect(tokensText(en, run({ output_tokens: null }))).toBe('1,088 / ?')
  expect(tokensText(en, run({ input_tokens: 0, output_tokens: 0 }))).toBe('—')
  expect(tokensText(en, run({ input_tokens: null, output_tokens: null }))).toBe('—')
  expect(costOf(en, run())).toBe('€0.0032')
  expect(costOf(en, run({ cost_known: false }))).toBe('> €0.0032')
  expect(costOf(en, run({ cost_micros: null, cost_known: false }))).toBe('?')
  expect(costOf(en, run({ cost_micros: 0 }))).toBe('€0.00')
  expect(costOf(en, run({ cost_micros: 0, cost_known: false }))).toBe('?')
  expect(costOf(en, run({ cost_micros: null }))).toBe('—')
})

test('a delivery went out when it was called, not when somebody said so', () => {
  expect(wentOutAt(delivery({ settled_at: '2026-10-21T12:00:00Z' }))).toBe('2026-10-21T09:00:00.300Z')
  expect(wentOutAt(delivery({ called_at: null }))).toBe('2026-10-21T09:00:01Z')
  expect(wentOutAt(delivery({ state: 'unknown' }))).toBeNull()
})

test('a run that failed without a word failed at the first step that is not done', () => {
  const failed = { state: 'failed' as const, deliveries: [] }
  expect(failedAt(run({ ...failed, steps: run().steps.slice(0, 2) }))).toBe('check')
  expect(failedAt(run({ ...failed, wants_image: true, steps: run().steps.slice(0, 2) }))).toBe('image')
  expect(failedAt(run({ state: 'failed', deliveries: [delivery({ state: 'failed' })] }))).toBeNull()
  expect(failedAt(run())).toBeNull()
})

test('it waited from the last step to the first call', () => {
  expect(waitedFor(run())).toBe(895_300)
  expect(waitedFor(run({ deliveries: [] }))).toBeNull()
  expect(waitedFor(run({ deliveries: [delivery({ called_at: null })] }))).toBeNull()
})

const approval = {
  state: 'approved', at_deadline: 'hold', deadline_at: '2026-10-21T08:59:00Z', decided_at: '2026-10-21T08:46:05Z',
  by_deadline: false, remark: '', at_once: false, rewrite_error: null,
} as const

test('it waited for its answer first, and for the slot after it', () => {
  expect(waitedForAnswer(run({ approval }))).toBe(60_000)
  expect(waitedFor(run({ approval }))).toBe(835_300)
  expect(waitedForAnswer(run())).toBeNull()
  expect(answeredAt(run({ approval: { ...approval, state: 'expired' } }))).toBeNull()
})

test('played again, it waits for its answer', () => {
  const asked = run({ approval })
  const states = momentsOf(asked).map((moment) => runAt(asked, moment)).map(({ state, approval: then }) => [state, then?.state])
  expect(states).toEqual([
    ['preparing', 'waiting'], ['preparing', 'waiting'], ['waiting', 'waiting'], ['ready', 'approved'], ['publishing', 'approved'], ['publishing', 'approved'],
  ])
})

test('played again, the text is edited once it is prepared and answered', () => {
  const told = (replayed: RunEvidenceOut) => momentsOf(replayed).map((moment) => runAt(replayed, moment).edited)
  expect(told(run({ edited: true, approval }))).toEqual([false, false, false, true, true, true])
  expect(told(run({ edited: true }))).toEqual([false, false, true, true, true])
  expect(told(run())).not.toContain(true)
})

test('played again, nothing is told before it happened', () => {
  const moments = momentsOf(run())
  expect(moments.map((moment) => new Date(moment).toISOString().slice(11, 21))).toEqual([
    '08:45:00.0', '08:45:04.0', '08:45:05.0', '09:00:00.3', '09:00:01.0',
  ])
  const story = moments.map((moment) => {
    const { state, steps, deliveries } = runAt(run(), moment)
    return [state, ...steps.map(({ kind, state }) => `${kind} ${state}`), deliveries[0]?.state].join(', ')
  })
  expect(story).toEqual([
    'preparing, topic done, text active, pending',
    'preparing, topic done, text done, pending',
    'ready, topic done, text done, check done, pending',
    'publishing, topic done, text done, check done, publishing',
    'publishing, topic done, text done, check done, published',
  ])
  const early = runAt(run(), moments[0] ?? 0)
  expect([early.lateness_ms, early.deliveries[0]?.permalink, early.steps[1]?.facts]).toEqual([null, null, {}])
})

test.each([
  [0, '0\u00a0s'],
  [49, '0\u00a0s'],
  [50, '0.1\u00a0s'],
  [9_940, '9.9\u00a0s'],
  [10_400, '10\u00a0s'],
  [59_499, '59\u00a0s'],
  [59_500, '1\u00a0min'],
  [59_999, '1\u00a0min'],
  [60_000, '1\u00a0min'],
  [-49, '0\u00a0s'],
  [-12_400, '−12\u00a0s'],
  [-59_700, '−1\u00a0min'],
  [-60_000, '−1\u00a0min'],
])('%i ms take %s', (milliseconds, text) => {
  expect(shortTime(en, milliseconds)).toBe(text)
})

test('what is over is not tried again', () => {
  expect(asDetail(run()).retries).toEqual([])
})

test('a run whose deliveries have begun did not fail at a step', () => {
  const steps = run().steps.slice(0, 1)
  expect(failedAt(run({ state: 'failed', steps, deliveries: [delivery({ attempts: 0 })] }))).toBe('text')
  expect(failedAt(run({ state: 'failed', steps, deliveries: [delivery({ attempts: 1 })] }))).toBeNull()
})

test('a call before all was ready is no wait', () => {
  const early = delivery({ called_at: '2026-10-21T08:45:01Z' })
  expect(waitedFor(run({ deliveries: [early] }))).toBeNull()
})

test('the first of several calls ends the wait', () => {
  const later = delivery({ id: 'e', called_at: '2026-10-21T09:05:00Z' })
  expect(waitedFor(run({ deliveries: [later, delivery()] }))).toBe(waitedFor(run()))
})

test('moments at the same time are one, and what never happened is none', () => {
  const unanswered = run({ steps: [step('topic', '08:45:00', null)], deliveries: [delivery({ settled_at: null })] })
  expect(momentsOf(unanswered)).toHaveLength(2)
  expect(momentsOf(run({ steps: [], deliveries: [] }))).toEqual([])
})

test('at its end, played again, it is as it was but for how it ended', () => {
  const whole = run()
  const last = runAt(whole, Infinity)
  expect(last.steps).toEqual(whole.steps)
  expect(last.deliveries).toEqual(whole.deliveries)
})

test('before its beginning there is nothing of it', () => {
  const none = runAt(run(), 0)
  expect(none.steps).toEqual([])
  expect(none.state).toBe('preparing')
  expect(none.deliveries).toMatchObject([{ state: 'pending', called_at: null, settled_at: null, permalink: null }])
})
