import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'
import { Billing } from './billing'
import { Head } from './head'
import { PausedAssistants } from './paused-assistants'
import { Costs, Usage } from './usage'
import type { SubscriptionActions } from './use-subscription-actions'
import './subscription.css'

interface SubscriptionProps {
  subscription: SubscriptionOut
  /** Why the refresh failed; the shown data is older then. */
  stale: Problem | null
  actions: SubscriptionActions
  /** Whether a checkout is being verified, so that the shown data is older. */
  isOld: boolean
}

/** The subscription: state, included features and usage. Without billing no price is shown. */
export function Subscription({ subscription, stale, actions, isOld }: SubscriptionProps) {
  const problem = actions.refreshProblem ?? stale
  return (
    <>
      {problem && <NotRefreshed asOf={subscription.as_of} problem={problem} busy={actions.refreshing} onRetry={actions.refresh} />}
      <PausedAssistants subscription={subscription} />
      <div className="cols">
        <div className="stack">
          <Head subscription={subscription} actions={actions} isOld={isOld} />
          <Usage subscription={subscription} />
        </div>
        <div className="stack">
          {subscription.mode !== 'self_hosted' && <Billing subscription={subscription} actions={actions} />}
          <Costs used={subscription.used} />
        </div>
      </div>
    </>
  )
}

interface NotRefreshedProps {
  asOf: string | null
  problem: Problem
  busy: boolean
  onRetry: () => void
}

/** The notice that the refresh failed, with the age of the shown data. */
function NotRefreshed({ asOf, problem, busy, onRetry }: NotRefreshedProps) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const textOf = useProblemText()
  const ageText = asOf
    ? t('billing:subscription.knownFrom', { when: format.momentInSentence(asOf), ago: format.relative(asOf) })
    : t('billing:subscription.knownUndated')
  return (
    <Banner
      tone="warn"
      title={t('billing:subscription.refreshFailed')}
      action={
        <Button size="xs" variant="default" loading={busy} onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      }
    >
      <p>{textOf(problem)}</p>
      <p>{ageText}</p>
    </Banner>
  )
}
