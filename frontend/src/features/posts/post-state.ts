import type { PostOut } from '@/api/types.gen'
import { waitsForSlot } from '@/components/delivery-status'
import type { Status } from '@/components/status'

const URGENT = ['unknown', 'retrying', 'publishing'] as const

/** What a badge says about a post: what needs a person or moves right now comes before the resting status. */
export function stateOf(post: Pick<PostOut, 'status' | 'deliveries'>): Status {
  const moving = post.deliveries.filter((delivery) => !waitsForSlot(delivery))
  return URGENT.find((state) => moving.some((delivery) => delivery.state === state)) ?? post.status
}

/** The first line that says something. */
export const firstLine = (content: string) => content.split('\n').find((line) => line.trim())?.trim() ?? ''
