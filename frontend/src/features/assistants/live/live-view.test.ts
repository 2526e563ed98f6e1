import { expect, test } from 'vitest'
import type { AssistantLiveOut, DeliveryOut, RetryOut, RunDetail, StepOut } from '@/api/types.gen'
import { moodOf, nextRetry, openRun, published, retryOf, runSteps, sectionOf, showsStrands, withoutBlankLines, withoutMarks } from './live-view'

const step = (kind: StepOut['kind'], state: StepOut['state']): StepOut => ({
  kind, state, attempt: 1, started_at: '2026-11-21T08:45:00Z', finished_at: null, facts: {},
})

const delivery = (state: DeliveryOut['state'], id: string = state): DeliveryOut => ({
  id, account_id: 'a', account_name: 'Lindhof', posts_url: 'https://network.example/in/me/', channel: 'linkedin', state, attempts: 1,
  permalink: null, error_code: null, error_detail: null, called_at: '2026-11-21T09:00:00Z', held_until: null, retry_at: null, settled_at: null, decided_at: null, removable: 'yes', removal: null, comment: null, comment_left: null, content: null,
})

const retry = (changes: Partial<RetryOut> = {}): RetryOut => ({
  step: 'text', delivery_id: null, attempt: 2, max_attempts: 5, next_try_at: '2026-11-21T08:46:00Z',
  code: 'model_unavailable', detail: '', ...changes,
})

const run = (changes: Partial<RunDetail> = {}): RunDetail => ({
  id: 'r', assistant_id: 'x', slot: '2026-11-21T09:00:00Z', planned_at: null, moved: false, by_hand: false, decide_until: null, state: 'preparing', reason: null, topic_title: null, is_article: false,
  post_id: null, created_at: '2026-11-21T08:45:00Z', finished_at: null, input_tokens: 0, output_tokens: 0,
  cost_micros: 0, cost_known: true, currency: 'EUR', steps: [], deliveries: [], retries: [], first_file: null,
  content: null, approval: null, content_hash: null, ...changes,
})

function live(found: RunDetail | null, assistant: { active?: boolean; phase?: string } = {}): AssistantLiveOut {
  const { active = true, phase = 'asleep' } = assistant
  return { assistant: { active, status: { phase }, website: null }, run: found, occurrences: [], now: '', live: true } as unknown as AssistantLiveOut
}

test.each([
  ['asleep between runs', live(run({ state: 'published' })), 'asleep'],
  ['asleep before the first run', live(null), 'asleep'],
  ['inactive', live(null, { active: false, phase: 'asleep' }), 'inactive'],
  ['activating until the workflow has started', live(null, { phase: 'inactive' }), 'activating'],
  ['finished', live(null, { phase: 'finished' }), 'finished'],
  ['preparing', live(run()), 'preparing'],
  ['preparing, though it was switched off meanwhile', live(run(), { active: false }), 'preparing'],
  ['retrying a step', live(run({ retries: [retry()] })), 'retrying'],
  ['ready', live(run({ state: 'ready' })), 'ready'],
  ['ready while the publishing step waits for the slot', live(run({ state: 'publishing', deliveries: [{ ...delivery('publishing'), called_at: null }] })), 'ready'],
  ['publishing while one channel is on its way', live(run({ state: 'publishing', deliveries: [delivery('retrying'), delivery('publishing')] })), 'publishing'],
  ['held when all that is left waits for its account', live(run({ state: 'publishing', deliveries: [delivery('published'), delivery('held')] })), 'held'],
  ['publishing while one is held and another is on its way', live(run({ state: 'publishing', deliveries: [delivery('held'), delivery('publishing')] })), 'publishing'],
  ['retrying when all that is left waits', live(run({ state: 'publishing', deliveries: [delivery('published'), delivery('retrying')] })), 'retrying'],
  ['a question, even after the run has ended', live(run({ state: 'unknown', deliveries: [delivery('unknown')] })), 'unknown'],
])('%s', (_, given, mood) => {
  expect(moodOf(given)).toBe(mood)
})

test('a run of the past is not the open one', () => {
  expect(openRun(live(run({ state: 'published' })))).toBeNull()
  expect(openRun(live(run({ state: 'ready' })))?.id).toBe('r')
})

test('steps that have not come yet are to do, in their order', () => {
  const steps = runSteps(run({ steps: [step('topic', 'done'), step('text', 'active')] }), true)
  expect(steps.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['topic done', 'text active', 'image todo', 'check todo'])
})

test('without an image there is no step for it, unless the run has one', () => {
  expect(runSteps(run(), false).map(({ kind }) => kind)).toEqual(['topic', 'text', 'check'])
  expect(runSteps(run({ steps: [step('image', 'done')] }), false).map(({ kind }) => kind)).toContain('image')
})

test('a step that waits for its next try is retrying, with its reason', () => {
  const [, text] = runSteps(run({ steps: [step('topic', 'done'), step('text', 'active')], retries: [retry()] }), false)
  expect(text).toMatchObject({ state: 'retrying', retry: { attempt: 2, max_attempts: 5 } })
})

test('a step that was left active when its run ended has failed', () => {
  const [, text] = runSteps(run({ state: 'failed', steps: [step('topic', 'done'), step('text', 'active')] }), false)
  expect(text?.state).toBe('failed')
})

test('an article has steps of its own, and says where its text is', () => {
  const text = { ...step('text', 'active'), facts: { section: 2, sections: 5 } }
  const steps = runSteps(run({ is_article: true, steps: [step('topic', 'done'), step('outline', 'done'), text] }), true)
  expect(steps.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'topic done', 'outline done', 'text active', 'summary todo', 'search todo', 'image todo', 'check todo',
  ])
  expect(sectionOf(text.facts)).toEqual({ number: 2, count: 5 })
  expect(sectionOf({ sections: 5 })).toBeNull()
})

test('before its first step a run makes what its assistant writes', () => {
  const begun = live(run())
  expect(openRun(begun)?.is_article).toBe(false)
  begun.assistant.website = { id: 'website', name: 'Lindhof Journal' }
  expect(openRun(begun)?.is_article).toBe(true)
  // it was set to something else since
  expect(openRun({ ...begun, run: run({ steps: [step('topic', 'done')] }) })?.is_article).toBe(false)
})

test('of an article the words are shown, not the marks', () => {
  const text = '## When\n\nBelow **seven** degrees, see [the list](https://a.example).\n\n![Tyre](media:1)\n> Wide *tyres* hold.\n2 * 3 * 4'
  expect(withoutBlankLines(withoutMarks(text))).toBe('Below seven degrees, see the list.\nWide tyres hold.\n2 * 3 * 4')
})

test('a post is cut after its words, not after a blank line', () => {
  expect(withoutBlankLines('Rain is fine.\n\n \nMudguards help.\r\n\r\n#bike\n')).toBe('Rain is fine.\nMudguards help.\n#bike')
})

test('the next try is the earliest one', () => {
  const later = retry({ step: 'deliver', next_try_at: '2026-11-21T09:00:00Z' })
  const never = retry({ step: 'image', next_try_at: null })
  expect(nextRetry(run({ retries: [never, later, retry()] }))?.step).toBe('text')
})

test('strands are drawn where something was or will be sent', () => {
  expect(showsStrands(run({ deliveries: [] }))).toBe(false)
  expect(showsStrands(run({ state: 'failed', deliveries: [delivery('cancelled')] }))).toBe(false)
  expect(showsStrands(run({ state: 'publishing', deliveries: [delivery('published'), delivery('failed')] }))).toBe(true)
})

test.each([
  ['a retry that belongs to a delivery is no step’s', run({ steps: [step('text', 'active')], retries: [retry({ delivery_id: 'd' })] }), 'active'],
  ['a step that is done is not retried any more', run({ steps: [step('text', 'done')], retries: [retry()] }), 'done'],
  ['a step that has not begun waits for its first try', run({ retries: [retry()] }), 'retrying'],
])('%s', (_, given, state) => {
  expect(runSteps(given, false).find(({ kind }) => kind === 'text')?.state).toBe(state)
})

test.each(['published', 'drafted', 'unknown', 'failed', 'missed'] as const)('a run that is %s is over', (state) => {
  expect(openRun(live(run({ state })))).toBeNull()
})

test('nothing has run yet: no run is open', () => {
  expect(openRun(live(null))).toBeNull()
})

test('each delivery has its own next try', () => {
  const waiting = retry({ step: 'deliver', delivery_id: 'retrying' })
  const given = run({ deliveries: [delivery('retrying'), delivery('published')], retries: [retry(), waiting] })
  expect(retryOf(given, delivery('retrying'))).toBe(waiting)
  expect(retryOf(given, delivery('published'))).toBeUndefined()
})

test('without a retry there is no next one, and looking for it changes nothing', () => {
  expect(nextRetry(run())).toBeUndefined()
  const retries = [retry({ step: 'b', next_try_at: null }), retry({ step: 'a' })]
  nextRetry(run({ retries }))
  expect(retries.map((one) => one.step)).toEqual(['b', 'a'])
})

test('only what is published counts as live', () => {
  expect(published([delivery('published'), delivery('publishing'), delivery('unknown'), delivery('failed')])).toBe(1)
})

test.each([
  ['a missed run never began', run({ state: 'missed', deliveries: [delivery('failed')] }), false],
  ['cancelled deliveries are nothing to look at', run({ deliveries: [delivery('cancelled'), delivery('cancelled', 'other')] }), false],
  ['one that failed is', run({ state: 'failed', deliveries: [delivery('cancelled'), delivery('failed')] }), true],
])('%s', (_, given, shown) => {
  expect(showsStrands(given)).toBe(shown)
})
