import type { DeliveryState, PostOut } from '@/api/types.gen'
import type { Status } from '@/components/status'

const URGENT = ['unknown', 'retrying', 'publishing'] as const

/** What a badge says about a post: what needs a person or moves right now comes before the resting status. */
export function stateOf(post: Pick<PostOut, 'status' | 'deliveries'>): Status {
  return URGENT.find((state) => post.deliveries.some((delivery) => delivery.state === state)) ?? post.status
}

/** The colour and the icon for each state of a delivery. */
export const deliveryStatus = {
  pending: 'complete',
  publishing: 'publishing',
  published: 'published',
  retrying: 'retrying',
  unknown: 'unknown',
  failed: 'failed',
  cancelled: 'skipped',
} satisfies Record<DeliveryState, Status>

/** The first line that says something. */
export const firstLine = (content: string) => content.split('\n').find((line) => line.trim())?.trim() ?? ''
