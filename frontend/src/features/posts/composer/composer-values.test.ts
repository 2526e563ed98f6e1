import { expect, test } from 'vitest'
import { changedFields } from '@/lib/edits'
import { plannedAt } from '@/lib/time-zones'
import { aPost } from '@/test/made'
import { bodyOf, empty, textFor, valuesOf, variantFor } from './composer-values'

const jonas = { id: 'jonas', kind: 'linkedin' as const }
const mara = { id: 'mara', kind: 'linkedin' as const }

test('an account gets its own text before that of its channel, and else the one for all', () => {
  const channel = { channel: 'linkedin' as const, account_id: null, content: 'for LinkedIn' }
  const own = { channel: 'linkedin' as const, account_id: 'jonas', content: 'for Jonas' }
  expect([variantFor([channel, own], jonas), variantFor([channel, own], mara), variantFor([own], mara)]).toEqual([1, 0, undefined])
  expect(textFor({ content: 'for all', variants: [own] }, jonas)).toBe('for Jonas')
  expect(textFor({ content: 'for all', variants: [own] }, mara)).toBe('for all')
  expect(textFor({ content: 'for all', variants: [{ ...own, content: '' }] }, jonas)).toBe('')
})

test('a time is one of the clocks in its zone', () => {
  expect(plannedAt({ planned: '2026-10-26T09:00', zone: 'Europe/Berlin' })?.toISOString()).toBe('2026-10-26T08:00:00.000Z')
  expect(plannedAt({ planned: '', zone: 'Europe/Berlin' })).toBeNull()
  expect(plannedAt({ planned: 'soon', zone: 'Europe/Berlin' })).toBeNull()
})

test('what was not touched is sent as it came', () => {
  const post = aPost({ planned_at: '2026-11-21T16:00:42Z', time_zone: 'Europe/Berlin' })
  expect(bodyOf(valuesOf(post), post).planned_at).toBe('2026-11-21T16:00:42Z')
  expect(bodyOf({ ...valuesOf(post), planned: '2026-11-21T18:00' }, post).planned_at).toBe('2026-11-21T17:00:00.000Z')
  expect(bodyOf({ ...valuesOf(post), zone: 'UTC' }, post).planned_at).toBe('2026-11-21T17:00:00.000Z')
  expect(changedFields(valuesOf(post), valuesOf(post))).toEqual([])
})

test('a new one is planned where somebody pointed', () => {
  expect(empty('Europe/Berlin', 'de', new Date('2026-11-24T08:30:00Z')).planned).toBe('2026-11-24T09:30')
  expect(empty('Europe/Berlin', 'de').planned).toBe('')
})
