import { Button, Group, Title } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import { StatusBadge } from '@/components/status'
import { useProblemText } from '@/components/use-problem-text'
import type { Format } from '@/i18n/format'
import type { Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { amountText, priceText } from './price'
import type { SubscriptionActions } from './use-subscription-actions'
import { looks, statusText, viewOf, type View } from './view'

interface HeadProps {
  subscription: SubscriptionOut
  actions: SubscriptionActions
  /** Whether the data is being refetched: no action is possible on outdated data. */
  isOld: boolean
}

/** The state of the subscription, what happens next, and the possible actions. */
export function Head({ subscription, actions, isOld }: HeadProps) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const textOf = useProblemText()
  const view = viewOf(subscription)
  const { title, text } = headTexts(t, format, useLanguage(), subscription, view)
  const { failed } = actions
  return (
    <section className="panel subscription-head">
      <StatusBadge
        status={looks[view]}
        label={labelOf(t, format, subscription, view)}
      />
      <Title order={2}>{title}</Title>
      {text.filter(Boolean).map((sentence) => (
        <p key={String(sentence)}>{sentence}</p>
      ))}
      <Actions subscription={subscription} view={view} actions={actions} isOld={isOld} />
      {failed && (
        <div className="form-errors" role="alert">
          {t(`billing:subscription.${failed.what}`)} {textOf(failed.problem)}
        </div>
      )}
    </section>
  )
}

function labelOf(t: TFunction<['common', 'billing']>, format: Format, subscription: SubscriptionOut, view: View): string {
  if (view === 'self_hosted') return t('billing:subscription.selfHosted')
  return view.startsWith('past_due') ? t('billing:subscription.paymentFailed') : statusText(t, format, subscription)
}

/** The actions; the one that the subscription needs is primary. */
function Actions({ subscription, view, actions, isOld }: HeadProps & { view: View }) {
  const { t } = useTranslation(['common', 'billing'])
  const { can_subscribe, can_cancel, can_resume, has_portal, trial_days } = subscription
  const { leaving, changing } = actions
  const busy = isOld || leaving !== null || changing !== null
  const paying = view === 'trial' || view === 'past_due' || view === 'past_due_over' || view === 'stopped'
  const subscribe = can_subscribe && (
    <Button
      key="subscribe"
      rightSection={<IconExternalLink size={14} aria-hidden />}
      loading={leaving === 'checkout'}
      disabled={busy && leaving !== 'checkout'}
      onClick={actions.subscribe}
    >
      {t(trial_days ? 'billing:subscription.startTrial' : view === 'canceled' ? 'billing:subscription.subscribeAgain' : 'billing:subscription.subscribe')}
    </Button>
  )
  const manage = has_portal && (
    <Button
      key="manage"
      variant={paying ? 'filled' : 'default'}
      rightSection={<IconExternalLink size={14} aria-hidden />}
      loading={leaving === 'portal'}
      disabled={busy && leaving !== 'portal'}
      onClick={actions.manage}
    >
      {t('billing:subscription.manage')}
    </Button>
  )
  const resume = can_resume && (
    <Button
      key="resume"
      variant={paying ? 'default' : 'filled'}
      loading={changing === 'resume'}
      disabled={busy && changing !== 'resume'}
      onClick={actions.resume}
    >
      {t('billing:subscription.resume')}
    </Button>
  )
  const cancel = can_cancel && (
    <Button
      key="cancel"
      variant="default"
      loading={changing === 'cancel'}
      disabled={busy && changing !== 'cancel'}
      onClick={() => actions.cancel(subscription)}
    >
      {t(view === 'trial' ? 'billing:subscription.cancelTrial' : 'billing:subscription.cancel')}
    </Button>
  )
  const all = paying ? [manage, resume, cancel] : [subscribe, resume, manage, cancel]
  return all.some(Boolean) && <Group gap={8}>{all}</Group>
}

function headTexts(
  t: TFunction<['common', 'billing']>,
  format: Format,
  language: Language,
  subscription: SubscriptionOut,
  view: View,
): { title: string; text: (string | undefined)[] } {
  const { trial_days, trial_days_left, first_billing_date, next_billing_date, end_date, past_due_until } = subscription
  const price = priceText(t, language, subscription)
  const amount = amountText(language, subscription)
  const costs = price && t('billing:subscription.costs', { price })
  const when = past_due_until ? format.momentInSentence(past_due_until) : ''
  const ends = end_date ? t('billing:subscription.pastDueEnds', { day: format.day(end_date) }) : undefined
  switch (view) {
    case 'self_hosted':
      return { title: t('billing:subscription.selfHostedTitle'), text: [t('billing:subscription.selfHostedText')] }
    case 'none':
      return trial_days
        ? {
            title: t('billing:subscription.trialOffer', { count: trial_days }),
            text: [t('billing:subscription.trialOfferText'), price && t('billing:subscription.costsAfterTrial', { price })],
          }
        : { title: t('billing:subscription.noneTitle'), text: [t('billing:subscription.noneText'), costs] }
    case 'trial':
      return {
        title: t('billing:subscription.trialTitle', { count: trial_days_left ?? 0 }),
        text: [
          first_billing_date
            ? t(subscription.has_payment_method ? 'billing:subscription.trialPaidText' : 'billing:subscription.trialText', {
                day: format.day(first_billing_date),
              })
            : undefined,
          price && t('billing:subscription.trialPrice', { price }),
        ],
      }
    case 'active': {
      const day = next_billing_date && format.day(next_billing_date)
      const charge = day && (amount ? t('billing:subscription.activeText', { day, amount }) : t('billing:subscription.activeTextUnpriced', { day }))
      return { title: t('billing:subscription.activeTitle'), text: [charge || undefined] }
    }
    case 'past_due':
      return { title: t('billing:subscription.pastDueTitle'), text: [t('billing:subscription.pastDueText', { when }), ends] }
    case 'past_due_over':
      return { title: t('billing:subscription.pastDueOverTitle'), text: [t('billing:subscription.pastDueOverText', { when }), ends] }
    case 'stopped':
      return { title: t('billing:subscription.stoppedTitle'), text: [t('billing:subscription.stoppedText')] }
    case 'canceled_until':
      return {
        title: end_date ? t('billing:subscription.untilTitle', { day: format.day(end_date) }) : t('billing:subscription.activeTitle'),
        text: [t('billing:subscription.untilText')],
      }
    case 'canceled':
      return {
        title: end_date ? t('billing:subscription.endedTitle', { day: format.day(end_date) }) : t('billing:subscription.endedTitleUndated'),
        text: [t('billing:subscription.endedText'), costs],
      }
  }
}
