import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { subscriptionQuery } from '@/features/billing/subscription/api'
import { CheckoutOutcome, useCheckoutOutcome } from '@/features/billing/subscription/checkout-outcome'
import { Subscription } from '@/features/billing/subscription/subscription'
import { useSubscriptionActions } from '@/features/billing/subscription/use-subscription-actions'

export function SubscriptionRoute() {
  const { t } = useTranslation(['common', 'billing', 'navigation'])
  const { data, error, isError, refetch } = useQuery(subscriptionQuery)
  const { outcome, dismiss } = useCheckoutOutcome()
  const actions = useSubscriptionActions(data)
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
          onStart={data?.can_subscribe ? actions.subscribe : undefined}
          starting={actions.leaving === 'checkout'}
        />
      )}
      {data ? (
        <Subscription subscription={data} stale={error} actions={actions} isOld={outcome?.state === 'verifying'} />
      ) : isError ? (
        <Failure title={t('billing:subscription.fetchFailed')} problem={error} onRetry={() => void refetch()} />
      ) : (
        <RowSkeletons rows={4} />
      )}
    </div>
  )
}
