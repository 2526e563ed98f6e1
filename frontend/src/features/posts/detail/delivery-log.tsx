import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { DeliveryEntryOut, ExchangeOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { attemptText, reasonText } from '@/lib/problems'
import { deliveryLogQuery } from '@/features/posts/api'
import './delivery-log.css'
import type { ContentKind } from '@/lib/content-kind'

interface DeliveryLogProps {
  postId: string
  deliveryId: string
  written: ContentKind
}

/** The steps of a delivery: requests, responses, and the decisions made from them. */
export function DeliveryLog({ postId, deliveryId, written }: DeliveryLogProps) {
  const { t } = useTranslation(['common', 'posts'])
  const log = useQuery(deliveryLogQuery(postId))
  if (log.isPending) return <RowSkeletons rows={2} />
  if (log.isError) return <Failure title={t('posts:deliveryLog.failed')} problem={log.error} onRetry={() => void log.refetch()} />
  const entries = log.data.filter((entry) => entry.delivery_id === deliveryId)
  if (entries.length === 0) return <p className="fine-print">{t(`posts:deliveryLog.empty.${written}`)}</p>
  return (
    <ol className="delivery-log">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Entry entry={entry} written={written} />
        </li>
      ))}
    </ol>
  )
}

function Entry({ entry: { at, attempt, step, decision, error_code, exchanges }, written }: { entry: DeliveryEntryOut; written: ContentKind }) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const hasArticleText = decision === 'look_up' || decision === 'unknown'
  const decided = written === 'article' && hasArticleText ? t(`posts:deliveryLog.decisionsOfArticle.${decision}`) : t(`posts:deliveryLog.decisions.${decision}`)
  const why = error_code && (decision === 'failed' ? reasonText(t, error_code, written) : attemptText(t, error_code, written))
  return (
    <>
      <p className="delivery-log-step">
        <time className="num" dateTime={at}>
          {format.day(at)}, {format.seconds(at)}
        </time>
        <b>{t(`posts:deliveryLog.steps.${step}`)}</b>
        {attempt > 1 && <span className="dim">{t('posts:deliveryLog.attempt', { attempt })}</span>}
      </p>
      {exchanges.length === 0 ? (
        <p className="dim">{t('posts:deliveryLog.noCall')}</p>
      ) : (
        exchanges.map((exchange, index) => <Exchange key={index} exchange={exchange} />)
      )}
      <p>
        {decided} {why}
      </p>
    </>
  )
}

function Exchange({ exchange: { asked: request, sent, status, answer, milliseconds } }: { exchange: ExchangeOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const duration = milliseconds < 1000 ? `${format.number(milliseconds)}\u00a0ms` : format.secondsTaken(milliseconds)
  const result = status === null ? `${t('posts:deliveryLog.noAnswer')} (${answer})` : String(status)
  return (
    <details className="delivery-log-call">
      <summary>
        <code>{request}</code>
        <span className="num">
          → {result}, {duration}
        </span>
      </summary>
      {sent && <Words label={t('posts:deliveryLog.sent')} words={sent} />}
      {status !== null && answer && <Words label={t('posts:deliveryLog.answer')} words={answer} />}
    </details>
  )
}

function Words({ label, words }: { label: string; words: string }) {
  return (
    <figure>
      <figcaption className="dim">{label}</figcaption>
      <pre>{indented(words)}</pre>
    </figure>
  )
}

/** Return JSON indented; a truncated response is returned unchanged. */
function indented(words: string): string {
  try {
    return JSON.stringify(JSON.parse(words), null, 2)
  } catch {
    return words
  }
}
