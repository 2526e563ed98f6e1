import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { Panel } from '@/components/panel'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { priceText } from './price'
import type { SubscriptionActions } from './use-subscription-actions'
import { statusText, viewOf } from './view'

/** The dates and the price, and their age. */
export function Billing({ subscription, actions }: { subscription: SubscriptionOut; actions: SubscriptionActions }) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const language = useLanguage()
  const { status, trial_days_left, first_billing_date, next_billing_date, end_date, as_of } = subscription
  const rests = viewOf(subscription) === 'stopped'
  const day = (at: string | null) => at && format.day(at)
  return (
    <Panel title={t('billing:subscription.billing')}>
      <Facts
        facts={[
          [t('billing:subscription.status'), statusText(t, format, subscription)],
          [t('billing:subscription.price'), priceText(t, language, subscription) ?? t('billing:subscription.unknown')],
          [t('billing:subscription.trialDaysLeft'), status === 'trial' && trial_days_left !== null && format.number(trial_days_left)],
          [t('billing:subscription.firstBilling'), day(first_billing_date)],
          [t('billing:subscription.nextBilling'), day(next_billing_date)],
          // it has no end yet: it goes on once something can be charged
          [t('billing:subscription.endDate'), !rests && day(end_date)],
        ]}
      />
      <div className="subscription-age">
        {as_of && <span className="dim">{t('billing:subscription.asOf', { when: format.momentInSentence(as_of) })}</span>}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={actions.refreshing}
          onClick={actions.refresh}
        >
          {t('billing:subscription.refresh')}
        </Button>
      </div>
    </Panel>
  )
}
