import type { TFunction } from 'i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import type { Status } from '@/components/status'
import type { Format } from '@/i18n/format'

/**
 * What the page shows: the status, unless there is a problem. `stopped`: it could continue but has no payment method;
 * `past_due_over`: a charge has failed and its grace period is over.
 */
export type View =
  | 'self_hosted'
  | 'none'
  | 'trial'
  | 'active'
  | 'canceled_until'
  | 'canceled'
  | 'past_due'
  | 'past_due_over'
  | 'stopped'

export function viewOf({ mode, status, past_due_until, unlocked, can_subscribe }: SubscriptionOut): View {
  if (mode === 'self_hosted') return 'self_hosted'
  if (past_due_until !== null) return unlocked ? 'past_due' : 'past_due_over'
  return status === 'canceled' && !can_subscribe ? 'stopped' : status
}

export const looks = {
  self_hosted: 'published',
  none: 'draft',
  trial: 'published',
  active: 'published',
  canceled_until: 'complete',
  canceled: 'draft',
  past_due: 'failed',
  past_due_over: 'failed',
  stopped: 'failed',
} satisfies Record<View, Status>

const TROUBLE: Partial<Record<View, 'activePaymentFailed' | 'lockedPaymentFailed' | 'rests'>> = {
  past_due: 'activePaymentFailed',
  past_due_over: 'lockedPaymentFailed',
  stopped: 'rests',
}

/** The status in a few words, such as "Trial, 9 days left". */
export function statusText(t: TFunction<['common', 'billing']>, format: Format, subscription: SubscriptionOut): string {
  const { status, trial_days_left, end_date } = subscription
  const trouble = TROUBLE[viewOf(subscription)]
  if (trouble && status !== 'canceled_until') return t(`billing:subscription.${trouble}`)
  if (status === 'trial') return t('billing:subscription.trial', { count: trial_days_left ?? 0 })
  if (status === 'canceled_until' && end_date) return t('billing:subscription.canceledUntil', { day: format.day(end_date) })
  return t(status === 'canceled_until' ? 'billing:subscription.canceled' : `billing:subscription.${status}`)
}
