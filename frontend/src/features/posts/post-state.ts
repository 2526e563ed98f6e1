import type { DeliveryOut, PostOut } from '@/api/types.gen'
import { waitsForSlot } from '@/components/delivery-status'
import type { Status } from '@/components/status'

const URGENT = ['unknown', 'retrying', 'publishing'] as const

/** What a badge says about a post: what needs a person or moves right now comes before the resting status. */
export function stateOf(post: Pick<PostOut, 'status' | 'deliveries' | 'approval' | 'acknowledged_at'>): Status {
  const moving = post.deliveries.filter((delivery) => !waitsForSlot(delivery))
  const urgent = URGENT.find((state) => moving.some((delivery) => delivery.state === state))
  return urgent ?? (asksNow(post) ? 'waiting' : post.status)
}

/** The first line that says something. */
export const firstLine = (content: string) => content.split('\n').find((line) => line.trim())?.trim() ?? ''

/** Somebody is asked about it, or it was kept for them when nobody had answered in time. */
export const asksNow = ({ status, approval, acknowledged_at }: Pick<PostOut, 'status' | 'approval' | 'acknowledged_at'>): boolean => {
  if (status !== 'draft' || !approval) return false
  return approval.state === 'waiting' || (approval.state === 'expired' && approval.at_deadline === 'hold' && !acknowledged_at)
}

/** It waits in a worker for its moment, or is being sent: nothing changes it any more. */
export const isArmed = ({ deliveries }: Pick<PostOut, 'deliveries'>): boolean =>
  deliveries.some(({ state, called_at }) => state === 'publishing' || (called_at !== null && state === 'retrying'))

const isOpen = ({ state }: DeliveryOut) => state === 'pending' || state === 'retrying'

export const mayCancel = (post: PostOut): boolean =>
  (post.status === 'complete' || post.status === 'draft') && post.deliveries.some(isOpen)

export const mayPublish = (post: PostOut): boolean =>
  post.status === 'draft' && !post.deliveries.some(isOpen)

/** Nothing of it is out, or may be. */
export const mayEdit = (post: PostOut): boolean =>
  post.status !== 'published' &&
  !isArmed(post) &&
  post.deliveries.every(({ state, called_at }) => state !== 'published' && state !== 'unknown' && called_at === null)

export const mayRetry = (post: PostOut): boolean => post.deliveries.some(({ state }) => state === 'failed')
