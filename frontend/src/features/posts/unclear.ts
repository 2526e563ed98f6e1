import type { DeliveryOut, PostOut } from '@/api/types.gen'

/** What nobody knows the outcome of on one account. */
export interface Unclear {
  account: Pick<DeliveryOut, 'account_id' | 'account_name' | 'posts_url' | 'channel'>
  found: { post: PostOut; delivery: DeliveryOut }[]
}

/** Where one look answers for many: in the order of their posts. */
export function unclearByAccount(posts: readonly PostOut[]): Unclear[] {
  const accounts = new Map<string, Unclear>()
  for (const post of posts)
    for (const delivery of post.deliveries) {
      if (delivery.state !== 'unknown') continue
      const { account_id, account_name, posts_url, channel } = delivery
      const known = accounts.get(account_id) ?? { account: { account_id, account_name, posts_url, channel }, found: [] }
      known.found.push({ post, delivery })
      accounts.set(account_id, known)
    }
  return [...accounts.values()]
}

export const isUnclear = ({ deliveries }: Pick<PostOut, 'deliveries'>): boolean =>
  deliveries.some(({ state }) => state === 'unknown')
