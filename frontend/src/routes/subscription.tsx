import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { subscriptionQuery, useOpenCheckout } from '@/features/billing/subscription/api'
import { CheckoutOutcome, useCheckoutOutcome } from '@/features/billing/subscription/checkout-outcome'
import { Subscription } from '@/features/billing/subscription/subscription'
import { isLeaving } from '@/features/billing/subscription/use-subscription-actions'
import { useMutateOnce } from '@/lib/one-at-a-time'

export function SubscriptionRoute() {
  const { t } = useTranslation(['common', 'billing', 'navigation'])
  const { data, error, isError, refetch } = useQuery(subscriptionQuery)
  const { outcome, dismiss } = useCheckoutOutcome()
  const checkout = useOpenCheckout()
  const startCheckout = useMutateOnce(checkout)
  // what began with it may have been canceled since
  const isOver = outcome?.state === 'succeeded' && data && data.end_date !== null
  return (
    <div className="subscription">
      <PageHeader title={t('navigation:subscription')} />
      {/* in one place with and without the subscription: screen readers read out what is rendered anew */}
      {outcome && !isOver && (
        <CheckoutOutcome
          outcome={outcome}
          onDismiss={dismiss}
          onStart={data?.can_subscribe ? () => startCheckout({}) : undefined}
          starting={isLeaving(checkout)}
        />
      )}
      {data ? (
        <Subscription subscription={data} stale={error} checkout={checkout} isOld={outcome?.state === 'verifying'} />
      ) : isError ? (
        <Failure title={t('billing:subscription.fetchFailed')} problem={error} onRetry={() => void refetch()} />
      ) : (
        <RowSkeletons rows={4} />
      )}
    </div>
  )
}
