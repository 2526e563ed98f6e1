import { expect, test } from 'vitest'
import type { DeliveryOut, PostOut } from '@/api/types.gen'
import { deliveryStatus } from '@/components/delivery-status'
import { stateOf } from './post-state'

const delivery = (state: DeliveryOut['state'], called_at: string | null = null) => ({ state, called_at }) as DeliveryOut
const post = (...deliveries: DeliveryOut[]): Pick<PostOut, 'status' | 'deliveries'> => ({ status: 'complete', deliveries })

test('an armed delivery waits for its slot: nothing is published before the call', () => {
  expect(deliveryStatus(delivery('publishing'))).toBe('complete')
  expect(deliveryStatus(delivery('publishing', '2026-11-21T17:04:00Z'))).toBe('publishing')
  expect(stateOf(post(delivery('publishing')))).toBe('complete')
  expect(stateOf(post(delivery('publishing'), delivery('publishing', '2026-11-21T17:04:00Z')))).toBe('publishing')
})

test('what needs a person comes before what moves', () => {
  expect(stateOf(post(delivery('publishing', '2026-11-21T17:04:00Z'), delivery('unknown', '2026-11-21T17:04:00Z')))).toBe('unknown')
})
