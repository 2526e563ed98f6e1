import type { DeliveryOut, PostOut } from '@/api/types.gen'

/** The deliveries of one account whose outcome is unclear. */
export interface Unclear {
  account: Pick<DeliveryOut, 'account_id' | 'account_name' | 'posts_url' | 'channel'>
  items: { post: PostOut; delivery: DeliveryOut }[]
}

/** Return the unclear deliveries by account, in the order of their posts. */
export function unclearByAccount(posts: readonly PostOut[]): Unclear[] {
  const accounts = new Map<string, Unclear>()
  for (const post of posts)
    for (const delivery of post.deliveries) {
      if (delivery.state !== 'unknown') continue
      const { account_id, account_name, posts_url, channel } = delivery
      const entry = accounts.get(account_id) ?? { account: { account_id, account_name, posts_url, channel }, items: [] }
      entry.items.push({ post, delivery })
      accounts.set(account_id, entry)
    }
  return [...accounts.values()]
}

export const isUnclear = ({ deliveries }: Pick<PostOut, 'deliveries'>): boolean =>
  deliveries.some(({ state }) => state === 'unknown')
