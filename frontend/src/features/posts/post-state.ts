import type { TFunction } from 'i18next'
import type { AccountOut, ChannelKind, DeliveryOut, PostOut } from '@/api/types.gen'
import { hasOpenDeliveries, isRemoved } from '@/components/delivery-status'
import { namedMentions } from '@/lib/post-link'

/** Return the first non-empty line, with the names of mentions. */
export const firstLine = (content: string) => namedMentions(content.split('\n').find((line) => line.trim())?.trim() ?? '')

/** Return a post's name for a single line. */
export const nameOf = (t: TFunction<['common', 'posts']>, { content, topic_title, is_article }: Pick<PostOut, 'content' | 'topic_title' | 'is_article'>) =>
  // the text of an article begins with the marks of a heading
  (is_article ? topic_title : firstLine(content) || topic_title) || t('posts:noText')

/** An account that a post goes to, or that a draft is meant for. */
export interface Target {
  accountId: string
  channel: ChannelKind
  name: string
  /** Null if the account is not connected. */
  pictureUrl: string | null
}

/** Return the destinations of a post; for a draft without deliveries, its chosen accounts that are still connected. */
export function destinationsOf(post: { deliveries: readonly DeliveryOut[]; account_ids: readonly string[] }, accounts: readonly AccountOut[] = []): Target[] {
  const connected = (accountId: string) => accounts.find(({ id }) => id === accountId)
  if (post.deliveries.length > 0)
    return post.deliveries.map(({ account_id, channel, account_name }) => {
      const { name = account_name, picture_url = null } = connected(account_id) ?? {}
      return { accountId: account_id, channel, name, pictureUrl: picture_url }
    })
  return post.account_ids.flatMap((accountId) => {
    const account = connected(accountId)
    return account ? [{ accountId, channel: account.kind, name: account.name, pictureUrl: account.picture_url }] : []
  })
}

/** Return the deliveries that are or will be published; if there are none, those that were. */
export function shownDeliveries(deliveries: readonly DeliveryOut[]): readonly DeliveryOut[] {
  const uncancelled = deliveries.filter(({ state }) => state !== 'cancelled')
  const remaining = uncancelled.filter((delivery) => !isRemoved(delivery))
  return [remaining, uncancelled].find(({ length }) => length > 0) ?? deliveries
}

/** Return whether the post is or was online somewhere. */
export const isOut = ({ deliveries }: Pick<PostOut, 'deliveries'>): boolean => deliveries.some(({ state }) => state === 'published')

/** Return whether a worker is publishing the post or waits for its time, so that nothing can change the post. */
export const isArmed = ({ deliveries }: Pick<PostOut, 'deliveries'>): boolean =>
  deliveries.some(
    ({ state, called_at }) => state === 'publishing' || (called_at !== null && (state === 'retrying' || state === 'held')),
  )

export const mayCancel = (post: PostOut): boolean =>
  (post.status === 'complete' || post.status === 'draft') && hasOpenDeliveries(post)

export const mayPublish = (post: PostOut): boolean =>
  post.status === 'draft' && !hasOpenDeliveries(post)

/** Return whether the post can be edited: no part of it is or may be published. */
export const mayEdit = (post: PostOut): boolean =>
  post.status !== 'published' &&
  !isArmed(post) &&
  post.deliveries.every(({ state, called_at }) => state !== 'published' && state !== 'unknown' && called_at === null)

/** Return whether a copy of the post is only for the accounts that failed: a part of the post is or may be published. */
export const isCopiedInPart = ({ deliveries }: Pick<PostOut, 'deliveries'>): boolean =>
  deliveries.some(({ state }) => state === 'failed') &&
  deliveries.some((delivery) => delivery.state === 'unknown' || (delivery.state === 'published' && !isRemoved(delivery)))

/** The errors that a new login of the account fixes. */
const RECONNECT = ['delivery_needs_reconnect', 'account_role_lost', 'reconnected_too_late', 'account_blocked', 'account_disconnected']

export const needsLogin = ({ error_code }: Pick<DeliveryOut, 'error_code'>): boolean =>
  error_code !== null && RECONNECT.includes(error_code)

export const mayRetry = (post: PostOut): boolean => post.deliveries.some(({ state }) => state === 'failed')
