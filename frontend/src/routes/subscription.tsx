import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { subscriptionQuery } from '@/features/subscription/api'
import { Subscription } from '@/features/subscription/subscription'

export function SubscriptionRoute() {
  const { t } = useTranslation()
  const subscription = useQuery(subscriptionQuery)
  return (
    <>
      <PageHeader title={t('navigation.subscription')} />
      {subscription.data ? (
        <Subscription subscription={subscription.data} />
      ) : subscription.isError ? (
        <Failure
          title={t('subscription.fetchFailed')}
          problem={subscription.error}
          onRetry={() => void subscription.refetch()}
        />
      ) : (
        <RowSkeletons rows={4} />
      )}
    </>
  )
}
