import type { DeliveryOut, PostOut } from '@/api/types.gen'

/** What is out on one account, of the posts that are to be deleted. */
export interface OutThere {
  account: Pick<DeliveryOut, 'account_id' | 'account_name' | 'posts_url' | 'channel'>
  /** What its network can be asked to delete. */
  removable: DeliveryOut[]
  /** What a person has to delete there. */
  stays: DeliveryOut[]
}

const isOut = ({ state, removal }: DeliveryOut) => state === 'published' && removal?.state !== 'removed'

export function outThere(posts: readonly PostOut[]): OutThere[] {
  const accounts = new Map<string, OutThere>()
  for (const delivery of posts.flatMap(({ deliveries }) => deliveries.filter(isOut))) {
    const { account_id, account_name, posts_url, channel } = delivery
    const known = accounts.get(account_id) ?? { account: { account_id, account_name, posts_url, channel }, removable: [], stays: [] }
    known[delivery.removable === 'yes' ? 'removable' : 'stays'].push(delivery)
    accounts.set(account_id, known)
  }
  return [...accounts.values()]
}

/** Whether it is being deleted at a network, or that has failed. */
export function removalOf({ deliveries }: Pick<PostOut, 'deliveries'>): 'waiting' | 'failed' | null {
  const states = deliveries.map(({ removal }) => removal?.state)
  return (['failed', 'waiting'] as const).find((state) => states.includes(state)) ?? null
}
