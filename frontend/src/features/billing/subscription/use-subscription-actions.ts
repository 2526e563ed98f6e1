import { notifications } from '@mantine/notifications'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { useMutateOnce, useOneAtATime } from '@/lib/one-at-a-time'
import { isProblem, type Problem } from '@/lib/problems'
import { useCancel, useOpenCheckout, useOpenPortal, useRefresh, useResume } from './api'
import { cameBack } from './away'
import { viewOf } from './view'

export interface Failed {
  what: 'checkoutFailed' | 'portalFailed' | 'cancelFailed' | 'resumeFailed'
  problem: Problem
}

/**
 * Return the actions on a subscription, one at a time, and the failure of the last one. Undefined stands for a
 * subscription that is not loaded yet.
 */
export function useSubscriptionActions(subscription: SubscriptionOut | undefined) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const confirm = useConfirm()
  const [checkout, portal, cancelling, resuming, refreshing] = [useOpenCheckout(), useOpenPortal(), useCancel(), useResume(), useRefresh()]
  const refresh = useMutateOnce(refreshing)

  const forget = () => [checkout, portal, cancelling, resuming].forEach((mutation) => mutation.reset())

  // a page restored by Back would still show that it is leaving
  const returned = useEffectEvent(() => {
    cameBack()
    forget()
    refresh()
  })
  const isBilled = subscription && subscription.mode !== 'self_hosted'
  const loaded = useEffectEvent(() => {
    if (cameBack()) refresh()
  })
  useEffect(() => {
    if (isBilled) loaded()
  }, [isBilled])
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) returned()
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])

  const subscribe = useOneAtATime(async () => {
    forget()
    await run(() => checkout.mutateAsync({}))
  })

  const manage = useOneAtATime(async () => {
    forget()
    await run(() => portal.mutateAsync({}))
  })

  const resume = useOneAtATime(async () => {
    forget()
    await run(async () => {
      await resuming.mutateAsync({})
      notifications.show({ message: t('billing:subscription.resumedToast') })
    })
  })

  const cancel = useOneAtATime(async (subscription: SubscriptionOut) => {
    const trial = subscription.status === 'trial'
    const day = subscription.next_billing_date && format.day(subscription.next_billing_date)
    const owes = viewOf(subscription) === 'past_due' || viewOf(subscription) === 'past_due_over'
    const sure = await confirm({
      title: t(trial ? 'billing:subscription.cancelTrialQuestion' : 'billing:subscription.cancelQuestion'),
      text: day ? t(owes ? 'billing:subscription.cancelPastDueText' : 'billing:subscription.cancelText', { day }) : t('billing:subscription.cancelTextUndated'),
      action: t(trial ? 'billing:subscription.cancelTrial' : 'billing:subscription.cancel'),
      keep: t(trial ? 'billing:subscription.keepTrial' : 'billing:subscription.keep'),
      danger: true,
    })
    if (!sure) return
    forget()
    await run(async () => {
      const { end_date } = await cancelling.mutateAsync({})
      showUndo({
        message: end_date
          ? t('billing:subscription.canceledToast', { day: format.day(end_date) })
          : t('billing:subscription.canceledToastUndated'),
        label: t('undo'),
        undo: () => void resume(),
      })
    })
  })

  const mutations = { checkoutFailed: checkout, portalFailed: portal, cancelFailed: cancelling, resumeFailed: resuming } as const
  const failedEntry = Object.entries(mutations).find(([, { error }]) => error !== null)
  const failed = failedEntry?.[1].error ? { what: failedEntry[0] as Failed['what'], problem: failedEntry[1].error } : null
  return {
    // also after success, until the browser has left the page
    leaving: isLeaving(checkout) ? ('checkout' as const) : isLeaving(portal) ? ('portal' as const) : null,
    changing: cancelling.isPending ? ('cancel' as const) : resuming.isPending ? ('resume' as const) : null,
    refreshing: refreshing.isPending,
    refreshProblem: refreshing.error,
    failed,
    subscribe: () => void subscribe(),
    manage: () => void manage(),
    cancel: (subscription: SubscriptionOut) => void cancel(subscription),
    resume: () => void resume(),
    refresh: () => refresh(),
  }
}

/** Return whether the browser leaves the page for what the mutation opened. */
const isLeaving = ({ isPending, isSuccess }: { isPending: boolean; isSuccess: boolean }) => isPending || isSuccess

/** Run a mutation. Its `error` holds what the server refused. */
async function run(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isProblem(error)) throw error
  }
}

export type SubscriptionActions = ReturnType<typeof useSubscriptionActions>
