import type { TFunction } from 'i18next'
import type { DeliveryOut } from '@/api/types.gen'
import { placeOf } from './channel'

/** Return what a held delivery waits for and until when; null if it is not held. */
export function heldText(t: TFunction<['common', 'posts']>, dayAndTime: (moment: string) => string, delivery: Parameters<typeof placeOf>[0] & Pick<DeliveryOut, 'held_until' | 'retry_at'>): string | null {
  if (!delivery.held_until) return null
  const until = dayAndTime(delivery.held_until)
  // a delivery that waits for an account has no next attempt
  if (delivery.retry_at) return t('posts:heldForNetwork', { when: dayAndTime(delivery.retry_at), until })
  return t('posts:heldUntil', { network: placeOf(delivery), when: until })
}
