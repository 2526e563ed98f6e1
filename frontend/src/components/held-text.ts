import type { TFunction } from 'i18next'
import type { DeliveryOut } from '@/api/types.gen'
import { placeOf } from './channel'

/** What a delivery that is held waits for, and until when. */
export function heldText(t: TFunction<['common', 'posts']>, dayAndTime: (moment: string) => string, delivery: Parameters<typeof placeOf>[0] & Pick<DeliveryOut, 'held_until' | 'retry_at'>): string | null {
  if (!delivery.held_until) return null
  const until = dayAndTime(delivery.held_until)
  // only what waits for no account has a next attempt of its own
  if (delivery.retry_at) return t('posts:heldForNetwork', { when: dayAndTime(delivery.retry_at), until })
  return t('posts:heldUntil', { network: placeOf(delivery), when: until })
}
