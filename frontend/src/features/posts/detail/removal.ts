import type { DeliveryOut, PostOut } from '@/api/types.gen'

/** The published deliveries of one account, among the posts to delete. */
export interface AccountDeliveries {
  account: Pick<DeliveryOut, 'account_id' | 'account_name' | 'posts_url' | 'channel'>
  /** Deliveries that the network can delete. */
  removable: DeliveryOut[]
  /** Deliveries that a person has to delete at the network. */
  unremovable: DeliveryOut[]
}

const isPublished = ({ state, removal }: DeliveryOut) => state === 'published' && removal?.state !== 'removed'

/** Return the published deliveries of the posts, by account. */
export function publishedByAccount(posts: readonly PostOut[]): AccountDeliveries[] {
  const accounts = new Map<string, AccountDeliveries>()
  for (const delivery of posts.flatMap(({ deliveries }) => deliveries.filter(isPublished))) {
    const { account_id, account_name, posts_url, channel } = delivery
    const entry = accounts.get(account_id) ?? { account: { account_id, account_name, posts_url, channel }, removable: [], unremovable: [] }
    entry[delivery.removable === 'yes' ? 'removable' : 'unremovable'].push(delivery)
    accounts.set(account_id, entry)
  }
  return [...accounts.values()]
}

/** Return whether the post is being deleted at a network, or that has failed. */
export function removalOf({ deliveries }: Pick<PostOut, 'deliveries'>): 'waiting' | 'failed' | null {
  const states = deliveries.map(({ removal }) => removal?.state)
  return (['failed', 'waiting'] as const).find((state) => states.includes(state)) ?? null
}
