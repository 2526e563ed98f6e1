import type { DeliveryOut, DeliveryState, PostOut } from '@/api/types.gen'
import type { Status } from '@/components/status'

const URGENT = ['unknown', 'retrying', 'publishing'] as const

/** What a badge says about a post: what needs a person or moves right now comes before the resting status. */
export function stateOf(post: Pick<PostOut, 'status' | 'deliveries'>): Status {
  const moving = post.deliveries.filter((delivery) => !waitsForSlot(delivery))
  return URGENT.find((state) => moving.some((delivery) => delivery.state === state)) ?? post.status
}

/** The publishing step starts some seconds ahead and waits for the slot: until the call nothing goes out. */
export const waitsForSlot = ({ state, called_at }: Pick<DeliveryOut, 'state' | 'called_at'>) =>
  called_at === null && (state === 'pending' || state === 'publishing')

const deliveryStatuses = {
  pending: 'complete',
  publishing: 'publishing',
  published: 'published',
  retrying: 'retrying',
  unknown: 'unknown',
  failed: 'failed',
  cancelled: 'skipped',
} satisfies Record<DeliveryState, Status>

/** The colour and the icon that a delivery has. */
export const deliveryStatus = (delivery: Pick<DeliveryOut, 'state' | 'called_at'>): Status =>
  waitsForSlot(delivery) ? 'complete' : deliveryStatuses[delivery.state]

/** The first line that says something. */
export const firstLine = (content: string) => content.split('\n').find((line) => line.trim())?.trim() ?? ''
