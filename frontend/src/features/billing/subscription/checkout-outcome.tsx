import { Button, CloseButton, Loader } from '@mantine/core'
import { IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { SubscriptionOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'
import { checkoutQuery, useKeep } from './api'

interface Trip {
  to: 'success' | 'canceled'
  sessionId: string | undefined
}

export type Outcome =
  | { state: 'verifying' }
  | { state: 'succeeded'; subscription: SubscriptionOut }
  | { state: 'canceled' }
  | { state: 'incomplete' }
  | { state: 'failed'; problem: Problem | null; retry: () => void }

/**
 * Return the result of the checkout that the user returns from, else null. The provider is asked, since the return
 * proves nothing. The parameters are removed from the URL, so that the result is shown once.
 */
export function useCheckoutOutcome(): { outcome: Outcome | null; dismiss: () => void } {
  const [params, setParams] = useSearchParams()
  const keep = useKeep()
  const [trip, setTrip] = useState(() => tripOf(params))
  const { data, error, isFetching, refetch } = useQuery({
    ...checkoutQuery(trip?.sessionId),
    enabled: trip?.to === 'success',
  })

  const storeSubscription = useEffectEvent((subscription: SubscriptionOut) => void keep(subscription))
  useEffect(() => {
    if (data) storeSubscription(data)
  }, [data])

  const isShown = params.has('checkout') && (trip?.to !== 'success' || data !== undefined || error !== null)
  const forget = useEffectEvent(() =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.delete('checkout')
        after.delete('session_id')
        return after
      },
      { replace: true },
    ),
  )
  useEffect(() => {
    if (isShown) forget()
  }, [isShown])

  const outcome = ((): Outcome | null => {
    if (trip === null || data?.mode === 'self_hosted') return null
    if (trip.to === 'canceled') return { state: 'canceled' }
    if (isFetching && !data) return { state: 'verifying' }
    if (error?.code === 'checkout_incomplete') return { state: 'incomplete' }
    if (data?.unlocked) return { state: 'succeeded', subscription: data }
    return { state: 'failed', problem: error, retry: () => void refetch() }
  })()
  return { outcome, dismiss: () => setTrip(null) }
}

function tripOf(params: URLSearchParams): Trip | null {
  const to = params.get('checkout')
  return to === 'success' || to === 'canceled' ? { to, sessionId: params.get('session_id') ?? undefined } : null
}

interface CheckoutOutcomeProps {
  outcome: Outcome
  onDismiss: () => void
  /** Open the checkout again, if possible. */
  onStart?: () => void
  starting?: boolean
}

export function CheckoutOutcome({ outcome, onDismiss, onStart, starting = false }: CheckoutOutcomeProps) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const textOf = useProblemText()
  const close = <CloseButton aria-label={t('billing:subscription.dismiss')} onClick={onDismiss} />
  const retryButton = onStart && (
    <Button size="xs" variant="default" loading={starting} onClick={onStart}>
      {t('billing:subscription.startAgain')}
    </Button>
  )
  switch (outcome.state) {
    case 'verifying':
      return (
        <Banner tone="info" icon={<Loader size={18} aria-hidden />} title={t('billing:subscription.verifying')}>
          {t('billing:subscription.verifyingText')}
        </Banner>
      )
    case 'succeeded': {
      const { status, first_billing_date } = outcome.subscription
      const trial = status === 'trial' && first_billing_date !== null
      return (
        <Banner
          tone="info"
          icon={<IconCheck size={18} stroke={2.2} aria-hidden />}
          title={t(trial ? 'billing:subscription.succeededTrial' : 'billing:subscription.succeeded')}
          close={close}
        >
          {trial
            ? t('billing:subscription.succeededTrialText', { day: format.day(first_billing_date) })
            : t('billing:subscription.succeededText')}
        </Banner>
      )
    }
    case 'canceled':
      return (
        <Banner tone="info" icon={<IconInfoCircle size={18} aria-hidden />} title={t('billing:subscription.checkoutCanceled')} action={retryButton} close={close}>
          {t('billing:subscription.checkoutCanceledText')}
        </Banner>
      )
    case 'incomplete':
      return (
        <Banner tone="warn" title={t('billing:subscription.checkoutIncomplete')} action={retryButton} close={close}>
          {t('billing:subscription.checkoutIncompleteText')}
        </Banner>
      )
    case 'failed':
      return (
        <Banner
          tone="bad"
          title={t('billing:subscription.verifyFailed')}
          action={
            <Button size="xs" variant="default" onClick={outcome.retry}>
              {t('tryAgain')}
            </Button>
          }
        >
          {outcome.problem && textOf(outcome.problem)}
        </Banner>
      )
  }
}
