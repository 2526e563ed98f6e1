import type { DeliveryOut, DeliveryState } from '@/api/types.gen'
import type { Status } from './status'

/** The publishing step starts some seconds ahead and waits for the slot: until the call nothing goes out. */
export const waitsForSlot = ({ state, called_at }: Pick<DeliveryOut, 'state' | 'called_at'>) =>
  called_at === null && (state === 'pending' || state === 'publishing')

/** It has gone out without its first comment, or nobody knows: a person is to look. */
export const lacksComment = ({ comment }: Pick<DeliveryOut, 'comment'>): boolean =>
  comment?.state === 'failed' || comment?.state === 'unknown'

const deliveryStatuses = {
  pending: 'complete',
  publishing: 'publishing',
  published: 'published',
  retrying: 'retrying',
  held: 'held',
  unknown: 'unknown',
  failed: 'failed',
  cancelled: 'skipped',
} satisfies Record<DeliveryState, Status>

/** The colour and the icon that a delivery has. */
export const deliveryStatus = (delivery: Pick<DeliveryOut, 'state' | 'called_at'>): Status =>
  waitsForSlot(delivery) ? 'complete' : deliveryStatuses[delivery.state]
