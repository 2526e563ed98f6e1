import type { ApprovalOut, DeliveryOut, PostOut } from '@/api/types.gen'
import { isRemoved, waitsForSlot, type RemovalFacts } from './delivery-status'
import type { Status } from './status'

/** The fields of a post that determine its status. */
export interface PostFacts extends Pick<PostOut, 'status' | 'planned_at' | 'acknowledged_at'> {
  deliveries: readonly (Pick<DeliveryOut, 'called_at' | 'error_code'> & RemovalFacts)[]
  approval: Pick<ApprovalOut, 'state' | 'at_deadline'> | null
}

/** Return whether a person is asked about the post, or will be again once another text is written. */
export const isUndecided = (approval: Pick<ApprovalOut, 'state'> | null): boolean => approval?.state === 'waiting' || approval?.state === 'rewritten'

/**
 * Return until when a post can be approved that is published as soon as it is: its planned time carries only that
 * deadline. Null for other posts.
 */
export const answerBy = ({ status, approval }: Pick<PostOut, 'status' | 'approval'>): string | null =>
  status === 'draft' && isUndecided(approval) && approval?.at_once && approval.at_deadline !== 'publish' ? approval.deadline_at : null

const URGENT = ['unknown', 'held', 'retrying', 'publishing'] as const

/** Return whether the post's time has come and a delivery is still to be published, for example while its video is processed. */
export const isGoingOut = ({ status, planned_at, deliveries }: Pick<PostFacts, 'status' | 'planned_at' | 'deliveries'>, now = new Date()): boolean =>
  status === 'complete' && planned_at !== null && Date.parse(planned_at) <= now.getTime() && deliveries.some(waitsForSlot)

/** Return the status for a post's badge: states that need the user or change right now come before the others. */
export function postStatus(post: PostFacts): Status {
  const moving = post.deliveries.filter((delivery) => !waitsForSlot(delivery))
  const urgent = URGENT.find((state) => moving.some((delivery) => delivery.state === state))
  if (urgent) return urgent
  if (waitsForAnswer(post)) return 'waiting'
  if (isGoingOut(post)) return 'publishing'
  if (isMissed(post)) return 'missed'
  return post.status === 'failed' && publishedOf(post).published > 0 ? 'partly' : post.status
}

/** Return on how many of the post's channels it is published, without those where it was deleted. */
export function publishedOf({ deliveries }: Pick<PostFacts, 'deliveries'>): { published: number; total: number } {
  const counted = deliveries.filter((delivery) => delivery.state !== 'cancelled' && !isRemoved(delivery))
  return { published: counted.filter(({ state }) => state === 'published').length, total: counted.length }
}

const MISSED = ['missed_outage', 'missed_overtaken']

/** Return whether the post missed its slot and no delivery has another. */
const isMissed = ({ status, deliveries }: PostFacts): boolean =>
  status === 'draft' &&
  deliveries.every(({ state }) => state === 'cancelled') &&
  deliveries.some(({ error_code }) => error_code !== null && MISSED.includes(error_code))

/** Return whether the post waits for approval, or is held after an expired approval. */
export function waitsForAnswer({ status, approval, acknowledged_at }: Pick<PostFacts, 'status' | 'approval' | 'acknowledged_at'>): boolean {
  if (status !== 'draft' || !approval) return false
  return approval.state === 'waiting' || (approval.state === 'expired' && approval.at_deadline === 'hold' && !acknowledged_at)
}
