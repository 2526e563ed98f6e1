import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { SuggestionOut } from '@/api/types.gen'
import { ReasonText } from '@/components/reason-text'
import { StatusBadge } from '@/components/status'
import { reasonText, retryText } from '@/lib/problems'

/** Of a round that failed without a reason. */
const UNKNOWN = 'internal'

const failedText = (t: TFunction<['common', 'errors']>, { reason }: SuggestionOut) => reasonText(t, reason ?? UNKNOWN)

/** Nothing while the next attempt is under way. */
const waitingText = (t: TFunction<['common', 'errors']>, { reason }: SuggestionOut) => reason && retryText(t, reason)

/** How a round without titles stands, in one sentence. */
export function roundText(t: TFunction<['common', 'errors', 'topics']>, round: SuggestionOut): string {
  switch (round.state) {
    case 'queued':
      return t('topics:suggest.queued')
    case 'running':
      return round.attempt > 1
        ? [t('topics:suggest.retrying', { attempt: round.attempt }), waitingText(t, round)].filter(Boolean).join(': ')
        : t('topics:suggest.running')
    case 'failed':
      return `${t('status.failed')}: ${failedText(t, round)}`
    case 'cancelled':
      return t('topics:suggest.cancelled')
    case 'succeeded':
      return t('topics:suggest.none')
  }
}

/** The same to be seen: with the badge of its state. */
export function RoundState({ round }: { round: SuggestionOut }) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  switch (round.state) {
    case 'queued':
      return <StatusBadge status="complete" label={t('topics:suggest.queued')} />
    case 'running':
      return round.attempt > 1 ? (
        <>
          <StatusBadge status="retrying" label={t('topics:suggest.retrying', { attempt: round.attempt })} />{' '}
          <span>{waitingText(t, round)}</span>
        </>
      ) : (
        <StatusBadge status="publishing" label={t('topics:suggest.running')} />
      )
    case 'failed':
      return (
        <>
          <StatusBadge status="failed" />{' '}
          <span>
            <ReasonText code={round.reason ?? UNKNOWN} />
          </span>
        </>
      )
    case 'cancelled':
      return <StatusBadge status="skipped" label={t('topics:suggest.cancelled')} />
    case 'succeeded':
      return <span className="dim">{t('topics:suggest.none')}</span>
  }
}
