import { Button } from '@mantine/core'
import { IconCreditCardOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Banner } from '@/components/banner'
import { subscriptionQuery } from '@/features/billing/subscription/api'
import { PausedAssistants } from '@/features/billing/subscription/paused-assistants'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'

/** Banner above every page while a payment has failed, or assistants are paused because the subscription has ended. */
export function SubscriptionBanner() {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const { data: subscription } = useQuery(subscriptionQuery)
  if (!subscription || subscription.mode === 'self_hosted') return null
  const see = (
    <Button component={Link} to={paths.subscription} size="xs" variant="default">
      {t('billing:subscription.see')}
    </Button>
  )
  const { past_due_until, unlocked } = subscription
  if (past_due_until && unlocked) {
    return (
      <Banner tone="warn" icon={<IconCreditCardOff size={18} stroke={1.9} aria-hidden />} title={t('billing:subscription.pastDueBanner')} action={see}>
        {t('billing:subscription.pastDueBannerText', { when: format.momentInSentence(past_due_until) })}
      </Banner>
    )
  }
  if (subscription.paused_assistants > 0) return <PausedAssistants subscription={subscription} action={see} />
  return past_due_until ? (
    <Banner tone="warn" icon={<IconCreditCardOff size={18} stroke={1.9} aria-hidden />} title={t('billing:subscription.pastDueBanner')} action={see}>
      {t('billing:subscription.pastDueOverBannerText')}
    </Banner>
  ) : null
}
