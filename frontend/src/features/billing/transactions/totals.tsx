import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { ModelSumOut, TransactionTotalsOut } from '@/api/types.gen'
import { DayPanel } from '@/components/day-panel'
import { Panel } from '@/components/panel'
import { StatTile, StatTiles } from '@/components/stat-tile'
import { useFormat } from '@/i18n/use-format'
import type { Change } from './filters'
import { modelName } from './model-name'

type Sum = Omit<ModelSumOut, 'provider' | 'model'>

/** The sums of the filtered calls: total, by day and by kind. */
export function Totals({ totals, change }: { totals: TransactionTotalsOut; change: Change }) {
  const { t } = useTranslation(['common', 'billing', 'cards'])
  const format = useFormat()
  const { currency } = totals
  const sums = [
    {
      title: t('billing:transactions.byModel'),
      parts: totals.models.map((sum) => ({ key: `${sum.provider} ${sum.model}`, name: modelName(t, sum), sum, only: { model: sum.model } })),
    },
    {
      title: t('billing:transactions.byAssistant'),
      parts: totals.assistants.map((sum) => ({
        key: sum.assistant_id ?? '',
        name: sum.assistant_name ?? t('billing:transactions.noAssistant'),
        sum,
        only: sum.assistant_id ? { assistant: sum.assistant_id } : undefined,
      })),
    },
    {
      title: t('billing:transactions.byType'),
      parts: totals.types.map((sum) => ({
        key: sum.type,
        name: t(`billing:transactions.types.${sum.type}`),
        sum,
        only: { type: sum.type },
      })),
    },
  ]
  return (
    <div className="stack transaction-sums">
      <StatTiles>
        <StatTile label={t('billing:transactions.cost')} value={costOf(totals)} sub={<Unpriced sum={totals} />} />
        <StatTile
          label={t('billing:transactions.calls')}
          value={format.number(totals.calls)}
          sub={totals.failed > 0 ? t('billing:transactions.callsFailed', { count: totals.failed }) : t('billing:transactions.noneFailed')}
        />
        <StatTile
          label={t('billing:transactions.inputTokens')}
          value={format.number(totals.input_tokens)}
          sub={
            totals.uncounted > 0
              ? t('billing:transactions.uncounted', { count: totals.uncounted })
              : t('billing:transactions.cachedTokens', { count: totals.cached_tokens })
          }
        />
        <StatTile
          label={t('billing:transactions.outputTokens')}
          value={format.number(totals.output_tokens)}
          sub={t('billing:transactions.images', { count: totals.images })}
        />
      </StatTiles>
      <DayPanel
        title={t('billing:transactions.byDay')}
        empty={t(totals.unpriced === 0 ? 'billing:transactions.nothingSpent' : 'billing:transactions.noCost')}
        charts={[
          {
            name: t('billing:transactions.cost'),
            bars: totals.days.map(({ day, cost_micros }) => ({ day, values: { cost: cost_micros } })),
            series: [{ name: 'cost', label: t('billing:transactions.cost'), color: 'var(--pl-thread)' }],
            text: (micros) => (micros === null ? t('billing:transactions.unknown') : format.money(micros, currency)),
            decimals: true,
          },
        ]}
      />
      <div className="sum-panels">
        {sums.map(({ title, parts }) => (
          <Panel key={title} title={title} flush>
            <table className="sums" aria-label={title}>
              <tbody>
                {parts.map(({ key, name, sum, only }) => (
                  <tr key={key}>
                    <th scope="row">
                      {only ? (
                        <button type="button" className="textbtn" title={t('billing:transactions.only', { name })} onClick={() => change(only)}>
                          {name}
                        </button>
                      ) : (
                        name
                      )}
                      {totals.cost_micros ? <span className="share" style={shareOf(sum, totals)} aria-hidden /> : null}
                    </th>
                    <td>{t('billing:transactions.callsOf', { count: sum.calls })}</td>
                    <td>{costOf(sum)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        ))}
      </div>
    </div>
  )

  function costOf({ cost_micros }: Sum): string {
    return cost_micros === null ? t('billing:transactions.unknown') : format.money(cost_micros, currency)
  }
}

const shareOf = ({ cost_micros }: Sum, all: Sum) =>
  ({
    '--share': all.cost_micros ? (cost_micros ?? 0) / all.cost_micros : 0,
    '--share-colour': 'var(--pl-thread)',
  }) as CSSProperties

/** The note on calls without a known price. */
function Unpriced({ sum: { calls, unpriced } }: { sum: Sum }) {
  const { t } = useTranslation(['common', 'billing'])
  if (unpriced === 0) return t('billing:transactions.allPriced')
  return unpriced === calls ? t('billing:transactions.unpricedAll') : t('billing:transactions.unpriced', { count: unpriced })
}
