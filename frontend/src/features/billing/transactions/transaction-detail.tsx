import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { TransactionDetailOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { PageHeader } from '@/components/page'
import { Panel } from '@/components/panel'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { layoutName } from '@/lib/card-words'
import { paths } from '@/lib/paths'
import { modelName } from './model-name'
import { Cost, nameOf, OutcomeBadge, whatFor } from './transaction-table'
import './transactions.css'

const MICRO = 1_000_000

/** One call: purpose, usage, and the price from which its cost was calculated. */
export function TransactionDetail({ call }: { call: TransactionDetailOut }) {
  const { t } = useTranslation(['common', 'billing', 'cards'])
  const format = useFormat()
  // without a model there are no further facts
  const free = call.cost_micros === 0 && call.price === null
  const tokens = (count: number | null) => (count === null ? t('billing:transactions.unknown') : format.number(count))
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('billing:transactions.title'), to: paths.transactions }]}
        title={nameOf(call) ?? whatFor(t, call)}
        badge={<OutcomeBadge outcome={call.outcome} />}
        sub={t(`billing:transactions.outcomeTexts.${call.outcome}`)}
      />
      <div className="cols">
        <div className="stack">
          <Panel title={t('billing:transactions.used')}>
            <Facts
              facts={[
                [t('billing:transactions.cost'), <Cost key="cost" call={call} exact />],
                [t('billing:transactions.inputTokens'), tokens(call.input_tokens)],
                [t('billing:transactions.cached'), !free && tokens(call.cached_tokens)],
                [t('billing:transactions.outputTokens'), tokens(call.output_tokens)],
                [t('billing:transactions.imagesMade'), call.type === 'image' && format.number(call.images)],
                [t('billing:transactions.duration'), call.outcome !== 'calling' && format.secondsTaken(call.duration_ms)],
                [
                  t('billing:transactions.reserved'),
                  !free &&
                    call.most_input_tokens !== null &&
                    call.most_output_tokens !== null &&
                    t('billing:transactions.reservedTokens', {
                      input: format.number(call.most_input_tokens),
                      output: format.number(call.most_output_tokens),
                    }),
                ],
              ]}
            />
          </Panel>
          <Price call={call} />
        </div>
        <Panel title={t('billing:transactions.wasFor')}>
          <Facts
            facts={[
              [t('billing:transactions.what'), whatFor(t, call)],
              [t(call.is_article ? 'billing:transactions.article' : 'billing:transactions.post'), call.post_id && linked(paths.post, { socialMediaPostId: call.post_id }, call.post_title)],
              [
                t('billing:transactions.assistant'),
                call.assistant_id && linked(paths.assistant, { assistantId: call.assistant_id }, call.assistant_name),
              ],
              [t('billing:transactions.template'), call.template_id && linked(paths.template, { templateId: call.template_id }, call.template_name)],
              [
                t('billing:transactions.tree'),
                call.tree_id && (
                  <Link className="link" to={`${paths.topics}?tree=${call.tree_id}`}>
                    {call.tree_name}
                  </Link>
                ),
              ],
              [t('billing:transactions.time'), `${format.dayAndTime(call.created_at)}`],
              [t('billing:transactions.type'), t(`billing:transactions.types.${call.type}`)],
              call.provider === 'cards'
                ? [t('billing:transactions.layout'), layoutName(t, call.model)]
                : [t('billing:transactions.model'), modelName(t, call)],
              [t('billing:transactions.provider'), !free && call.provider],
              [t('billing:transactions.requestId'), call.request_id && <code key="id">{call.request_id}</code>],
            ]}
          />
        </Panel>
      </div>
    </>
  )

  function linked(path: string, params: Record<string, string>, name: string | null): ReactNode {
    return (
      <Link className="link" to={generatePath(path, params)}>
        {name || t('billing:transactions.open')}
      </Link>
    )
  }
}

function Price({ call }: { call: TransactionDetailOut }) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const days = useFormatIn('UTC') // the days have no time zone
  const { price, currency } = call
  if (!price) {
    const why = call.cost_micros === 0 ? 'free' : call.cost_micros === null ? 'noPrice' : 'priceNotKept'
    return (
      <Panel title={t('billing:transactions.price')}>
        <p className="dim price-note">{t(`billing:transactions.${call.outcome === 'calling' ? 'priceLater' : why}`)}</p>
      </Panel>
    )
  }
  const eachText = (decimal: string) =>
    t('billing:transactions.perMillion', { price: format.exactMoney(Number(decimal) * MICRO, currency) })
  const long = price.long_context
  return (
    <Panel title={t('billing:transactions.price')}>
      <Facts
        facts={[
          [t('billing:transactions.priceSince'), days.day(`${price.since}T00:00Z`)],
          [t('billing:transactions.inputPrice'), eachText(price.input)],
          [t('billing:transactions.cachedPrice'), price.cached_input === null ? t('billing:transactions.asInput') : eachText(price.cached_input)],
          [t('billing:transactions.outputPrice'), eachText(price.output)],
          [
            long && t('billing:transactions.longContext', { tokens: format.number(long.over_input_tokens) }),
            long && t('billing:transactions.longFactors', { input: format.number(Number(long.input_factor)), output: format.number(Number(long.output_factor)) }),
          ],
        ].filter((fact): fact is [string, string] => fact[0] !== null)}
      />
    </Panel>
  )
}
