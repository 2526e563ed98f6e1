import { expect, test } from 'vitest'
import type { DeliveryOut, PostOut } from '@/api/types.gen'
import { deliveryStatus } from '@/components/delivery-status'
import { postStatus, publishedOf } from '@/components/post-status'
import { aDelivery, aPost } from '@/test/made'
import { itIs } from '@/test/screen'
import { isArmed, mayCancel, mayPublish, mayRetry } from './post-state'

const delivery = (state: DeliveryOut['state'], called_at: string | null = null, error_code: string | null = null) =>
  ({ state, called_at, error_code, removal: null }) as DeliveryOut
const removed: DeliveryOut = {
  ...delivery('published'),
  removal: { state: 'removed', attempts: 1, next_at: null, removed_at: '2026-11-21T10:00:00Z', error_code: null, error_detail: null },
}
const post = (...deliveries: DeliveryOut[]): Pick<PostOut, 'status' | 'planned_at' | 'deliveries' | 'approval' | 'acknowledged_at'> => ({
  status: 'complete',
  planned_at: null,
  deliveries,
  approval: null,
  acknowledged_at: null,
})

test('an armed delivery waits for its slot: nothing is published before the call', () => {
  expect(deliveryStatus(delivery('publishing'))).toBe('complete')
  expect(deliveryStatus(delivery('publishing', '2026-11-21T17:04:00Z'))).toBe('publishing')
  expect(postStatus(post(delivery('publishing')))).toBe('complete')
  expect(postStatus(post(delivery('publishing'), delivery('publishing', '2026-11-21T17:04:00Z')))).toBe('publishing')
})

test.each([
  ['2026-11-21T09:00:00Z', 'publishing'],
  ['2026-11-21T12:00:01Z', 'complete'],
] as const)('a post of %s that is still to come out on a channel is %s at twelve', (planned_at, status) => {
  itIs('2026-11-21T12:00:00Z')
  expect(postStatus({ ...post(delivery('published'), delivery('pending')), planned_at })).toBe(status)
  expect(postStatus({ ...post(delivery('published'), delivery('publishing')), planned_at })).toBe(status)
})

test('a post that failed on some of its channels only is published in part', () => {
  const failed = (...deliveries: DeliveryOut[]) => ({ ...post(...deliveries), status: 'failed' as const })
  const partly = failed(delivery('published'), delivery('published'), delivery('failed'), delivery('cancelled'))
  expect(postStatus(partly)).toBe('partly')
  expect(publishedOf(partly)).toEqual({ published: 2, total: 3 })
  expect(postStatus(failed(delivery('failed')))).toBe('failed')
  expect(postStatus(failed(delivery('failed'), delivery('cancelled')))).toBe('failed')
})

test('a part that was deleted at its network is published no more', () => {
  const failed = (...deliveries: DeliveryOut[]) => ({ ...post(...deliveries), status: 'failed' as const })
  expect(postStatus(failed(removed, delivery('failed')))).toBe('failed')
  const rest = failed(removed, delivery('published'), delivery('failed'))
  expect(postStatus(rest)).toBe('partly')
  expect(publishedOf(rest)).toEqual({ published: 1, total: 2 })
  const waiting = delivery('published')
  expect(publishedOf(failed({ ...waiting, removal: { ...removed.removal!, state: 'waiting' } }, delivery('failed')))).toEqual({ published: 1, total: 2 })
})

test('what needs a person comes before what moves', () => {
  expect(postStatus(post(delivery('publishing', '2026-11-21T17:04:00Z'), delivery('unknown', '2026-11-21T17:04:00Z')))).toBe('unknown')
})

test('what somebody is asked about is theirs, also when it was kept for them', () => {
  const approval = { state: 'waiting', at_deadline: 'hold', deadline_at: '2026-11-21T17:00:00Z', decided_at: null, by_deadline: false, remark: '' } as const
  const asked = { ...post(delivery('pending')), status: 'draft' as const, approval }
  expect(postStatus(asked)).toBe('waiting')
  expect(postStatus({ ...asked, approval: { ...approval, state: 'expired' } })).toBe('waiting')
  expect(postStatus({ ...asked, approval: { ...approval, state: 'expired' }, acknowledged_at: '2026-11-21T18:00:00Z' })).toBe('draft')
  expect(postStatus({ ...asked, approval: { ...approval, state: 'expired', at_deadline: 'skip' } })).toBe('draft')
  expect(postStatus({ ...asked, approval: { ...approval, state: 'declined' } })).toBe('draft')
})

test('a draft whose time went by without it says so, until it has another one', () => {
  const missed = delivery('cancelled', null, 'missed_outage')
  const draft = (...deliveries: DeliveryOut[]) => postStatus({ ...post(...deliveries), status: 'draft' })
  expect(draft(missed)).toBe('missed')
  expect(draft(delivery('cancelled'), delivery('cancelled', null, 'missed_overtaken'))).toBe('missed')
  expect(draft(missed, delivery('pending'))).toBe('draft')
  expect(draft(delivery('cancelled'))).toBe('draft')
  expect(postStatus({ ...post(missed, delivery('published')), status: 'published' })).toBe('published')
})

test('what waits for its time may be changed, what is armed may not', () => {
  const waits = aPost({ status: 'complete', deliveries: [aDelivery({ state: 'pending', called_at: null })] })
  expect([mayCancel(waits), mayPublish(waits), mayRetry(waits), isArmed(waits)]).toEqual([true, false, false, false])
  expect(isArmed(aPost({ deliveries: [aDelivery({ state: 'publishing', called_at: null })] }))).toBe(true)
  const kept = aPost({ status: 'draft', deliveries: [aDelivery({ state: 'cancelled' })] })
  expect([mayCancel(kept), mayPublish(kept), mayRetry(kept)]).toEqual([false, true, false])
  const failed = aPost({ status: 'failed', deliveries: [aDelivery({ state: 'failed' }), aDelivery({ id: 'b' })] })
  expect([mayCancel(failed), mayPublish(failed), mayRetry(failed)]).toEqual([false, false, true])
})
