import { expect, test } from 'vitest'
import { stateNow } from './run-state'

test('an armed run is ready until its slot', () => {
  const run = { state: 'publishing', slot: '2026-11-21T17:04:00Z' } as const
  expect(stateNow(run, new Date('2026-11-21T17:03:30Z'))).toBe('ready')
  expect(stateNow(run, new Date('2026-11-21T17:04:00Z'))).toBe('publishing')
  expect(stateNow({ ...run, state: 'failed' }, new Date('2026-11-21T17:03:30Z'))).toBe('failed')
})
