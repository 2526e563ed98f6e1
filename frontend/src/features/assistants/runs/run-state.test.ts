import { expect, test } from 'vitest'
import { stateNow } from './run-state'

test('an armed run is ready until its slot', () => {
  const run = { state: 'publishing', slot: '2026-11-21T17:04:00Z', planned_at: null } as const
  expect(stateNow(run, new Date('2026-11-21T17:03:30Z'))).toBe('ready')
  expect(stateNow(run, new Date('2026-11-21T17:04:00Z'))).toBe('publishing')
  // one that was moved, until its new time
  expect(stateNow({ ...run, planned_at: '2026-11-21T18:00:00Z' }, new Date('2026-11-21T17:59:30Z'))).toBe('ready')
  expect(stateNow({ ...run, state: 'failed' }, new Date('2026-11-21T17:03:30Z'))).toBe('failed')
})
