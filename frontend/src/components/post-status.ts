import type { ApprovalOut, DeliveryOut, PostOut } from '@/api/types.gen'
import { waitsForSlot } from './delivery-status'
import type { Status } from './status'

/** As much of a post as says how it stands. */
export interface PostFacts extends Pick<PostOut, 'status' | 'acknowledged_at'> {
  deliveries: readonly Pick<DeliveryOut, 'state' | 'called_at' | 'error_code'>[]
  approval: Pick<ApprovalOut, 'state' | 'at_deadline'> | null
}

const URGENT = ['unknown', 'held', 'retrying', 'publishing'] as const

/** What a badge says about a post: what needs a person or moves right now comes before the resting status. */
export function postStatus(post: PostFacts): Status {
  const moving = post.deliveries.filter((delivery) => !waitsForSlot(delivery))
  const urgent = URGENT.find((state) => moving.some((delivery) => delivery.state === state))
  if (urgent) return urgent
  if (waitsForAnswer(post)) return 'waiting'
  return isMissed(post) ? 'missed' : post.status
}

const MISSED = ['missed_outage', 'missed_overtaken']

/** Its time went by without it, and nothing of it has another one. */
const isMissed = ({ status, deliveries }: PostFacts): boolean =>
  status === 'draft' &&
  deliveries.every(({ state }) => state === 'cancelled') &&
  deliveries.some(({ error_code }) => error_code !== null && MISSED.includes(error_code))

/** Somebody is asked about it, or it was kept for them when nobody had answered in time. */
export function waitsForAnswer({ status, approval, acknowledged_at }: Omit<PostFacts, 'deliveries'>): boolean {
  if (status !== 'draft' || !approval) return false
  return approval.state === 'waiting' || (approval.state === 'expired' && approval.at_deadline === 'hold' && !acknowledged_at)
}
