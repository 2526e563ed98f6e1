import { expect, test } from 'vitest'
import type { AssistantOut } from '@/api/types.gen'
import { merged, soonest } from './api'
import { setupSteps } from './setup'

const assistant = (id: string, next_slot: string | null) => ({ id, status: { next_slot } }) as AssistantOut
const planned = (id: string, slot: string) => ({
  assistant: assistant(id, slot),
  occurrence: { slot, local: '', offset_minutes: 60, clock_change: 0 },
})

test('the soonest come first, those without a date not at all', () => {
  const found = soonest([assistant('late', '2026-11-23T08:00:00Z'), assistant('none', null), assistant('soon', '2026-11-22T08:00:00Z')], 2)
  expect(found.map(({ id }) => id)).toEqual(['soon', 'late'])
})

test('dates of several assistants stand in one order', () => {
  const all = [planned('a', '2026-11-22T08:00:00Z'), planned('a', '2026-11-24T08:00:00Z'), planned('b', '2026-11-23T08:00:00Z')]
  expect(merged(all, 2).map((found) => found.assistant.id)).toEqual(['a', 'b'])
})

test('a step is done as soon as what it makes exists', () => {
  const steps = setupSteps({ accounts: 1, templates: 0, topicTrees: 3, assistants: 0, active: 0 })
  expect(steps.filter(({ done }) => done).map(({ name }) => name)).toEqual(['Account', 'Topics'])
})
