import type { DeliveryOut, DeliveryState, RemovalOut } from '@/api/types.gen'
import type { Status } from './status'

/** Return whether a delivery waits for its slot: the publishing step starts some seconds early and then waits. */
export const waitsForSlot = ({ state, called_at }: Pick<DeliveryOut, 'state' | 'called_at'>) =>
  called_at === null && (state === 'pending' || state === 'publishing')

/** Return whether a post or article is still to be published: at its time, at a retry, or once it is no longer held. */
export const hasOpenDeliveries = ({ deliveries }: { deliveries: readonly Pick<DeliveryOut, 'state'>[] }): boolean =>
  deliveries.some(({ state }) => state === 'pending' || state === 'retrying' || state === 'held')

/** The fields that determine whether a delivery was deleted at its network. */
export interface RemovalFacts extends Pick<DeliveryOut, 'state'> {
  removal: Pick<RemovalOut, 'state'> | null
}

/** Return whether the delivery was published and then deleted at its network. */
export const isRemoved = ({ state, removal }: RemovalFacts): boolean =>
  removal?.state === 'removed' && (state === 'published' || state === 'cancelled')

/** Return whether the first comment failed or its outcome is unknown, so that the user has to check. */
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

/** Return the status that gives a delivery its colour and icon. */
export const deliveryStatus = (delivery: Pick<DeliveryOut, 'state' | 'called_at'>): Status =>
  waitsForSlot(delivery) ? 'complete' : deliveryStatuses[delivery.state]
