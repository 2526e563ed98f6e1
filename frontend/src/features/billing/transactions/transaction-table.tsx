import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { generatePath, Link } from 'react-router'
import type { CallOutcome, TransactionOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { StatusBadge, type Status } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { contentKindOf } from '@/lib/content-kind'
import { modelName } from './model-name'

const looks = {
  calling: 'publishing',
  succeeded: 'published',
  refused: 'failed',
  incomplete: 'failed',
  failed: 'failed',
  lost: 'unknown',
} satisfies Record<CallOutcome, Status>

export function OutcomeBadge({ outcome }: { outcome: CallOutcome }) {
  const { t } = useTranslation(['common', 'billing'])
  return <StatusBadge status={looks[outcome]} label={t(`billing:transactions.outcomes.${outcome}`)} />
}

/** Return what a call was for: an assistant's or a user's post or article, or something else. */
export function whatFor(t: TFunction<['common', 'billing']>, { cause, is_article }: TransactionOut): string {
  if (cause !== 'run' && cause !== 'post') return t(`billing:transactions.whats.${cause}`)
  return t(`billing:transactions.whats.${cause}.${is_article === null ? 'both' : contentKindOf({ is_article })}`)
}

/** Return the name of a call's object while it exists, else its purpose. */
export const nameOf = (call: TransactionOut): string | null => call.post_title || call.template_name || call.tree_name

export function TransactionTable({ rows }: { rows: readonly TransactionOut[] }) {
  const { t } = useTranslation(['common', 'billing', 'cards'])
  const format = useFormat()
  const columns: Column<TransactionOut>[] = [
    {
      key: 'what',
      header: t('billing:transactions.what'),
      card: 'wide',
      cell: (call) => (
        <div className="two-lines">
          <Link className="rowlink clip-2" to={generatePath(paths.transaction, { transactionId: call.id })}>
            {nameOf(call) ?? whatFor(t, call)}
          </Link>
          <small>
            {[nameOf(call) && whatFor(t, call), call.assistant_name].filter(Boolean).join(' · ')}
          </small>
        </div>
      ),
    },
    {
      key: 'time',
      header: t('billing:transactions.time'),
      card: 'start',
      cell: (call) => (
        <time className="nowrap" dateTime={call.created_at}>
          {format.dayAndTime(call.created_at)}
        </time>
      ),
    },
    {
      key: 'model',
      header: t('billing:transactions.model'),
      card: 'end',
      cell: (call) => (
        <div className="two-lines model-name">
          <span>{modelName(t, call)}</span>
          <small>{t(`billing:transactions.types.${call.type}`)}</small>
        </div>
      ),
    },
    {
      key: 'tokens',
      header: t('billing:transactions.tokens'),
      card: 'hidden',
      numeric: true,
      spare: true,
      cell: (call) => (
        // a line break would make its second half look like a separate number
        <span className="nowrap">
          {call.outcome === 'calling'
            ? '–'
            : t('billing:transactions.inOut', { input: figure(call.input_tokens), output: figure(call.output_tokens) })}
        </span>
      ),
    },
    {
      key: 'duration',
      header: t('billing:transactions.duration'),
      card: 'hidden',
      numeric: true,
      spare: true,
      cell: (call) => (call.outcome === 'calling' ? '–' : format.secondsTaken(call.duration_ms)),
    },
    {
      key: 'outcome',
      header: t('billing:transactions.outcome'),
      card: 'start',
      cell: (call) => <OutcomeBadge outcome={call.outcome} />,
    },
    {
      key: 'cost',
      header: t('billing:transactions.cost'),
      card: 'end',
      numeric: true,
      cell: (call) => <Cost call={call} />,
    },
  ]
  return <DataList label={t('billing:transactions.title')} columns={columns} rows={rows} rowKey={({ id }) => id} />

  function figure(tokens: number | null): string {
    return tokens === null ? '?' : format.number(tokens)
  }
}

/** The cost of a call. An unknown cost is named so, with its maximum if known. */
export function Cost({ call, exact = false }: { call: TransactionOut; exact?: boolean }) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const money = (micros: number) => (exact ? format.exactMoney : format.money)(micros, call.currency)
  if (call.cost_micros !== null) return money(call.cost_micros)
  return (
    <div className="two-lines">
      <span>{call.outcome === 'calling' ? '–' : t('billing:transactions.unknown')}</span>
      {call.most_micros !== null && <small>{t('billing:transactions.atMost', { cost: money(call.most_micros) })}</small>}
    </div>
  )
}
