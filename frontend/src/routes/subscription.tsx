import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { subscriptionQuery } from '@/features/billing/subscription/api'
import { CheckoutOutcome, useCheckoutOutcome } from '@/features/billing/subscription/checkout-outcome'
import { Subscription } from '@/features/billing/subscription/subscription'

export function SubscriptionRoute() {
  const { t } = useTranslation(['common', 'billing', 'navigation'])
  const { data, error, isError, refetch } = useQuery(subscriptionQuery)
  const { outcome, dismiss } = useCheckoutOutcome()
  return (
    <div className="subscription">
      <PageHeader title={t('navigation:subscription')} />
      {data ? (
        <Subscription subscription={data} stale={error} outcome={outcome} onDismiss={dismiss} />
      ) : (
        <>
          {outcome && <CheckoutOutcome outcome={outcome} onDismiss={dismiss} />}
          {isError ? (
            <Failure title={t('billing:subscription.fetchFailed')} problem={error} onRetry={() => void refetch()} />
          ) : (
            <RowSkeletons rows={4} />
          )}
        </>
      )}
    </div>
  )
}
