import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { LimitsOut, SubscriptionOut, UsedOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { postsAndArticlesPath } from '@/lib/post-list-path'

interface Row {
  name: string
  limit?: keyof LimitsOut
  /** Returns the value as text: a number or money. */
  shown: (value: number) => string
  /** The text for no limit. */
  unlimited: string
  used?: { value: number | null; to: string }
}

/** The included limits and their usage; without a subscription, also what it would include. */
export function Usage({ subscription }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  const { used, limits, free, plan, unlocked } = subscription
  const limited = Object.values(limits).some((limit) => limit !== null)
  const rows: Row[] = [
    { name: t('billing:subscription.everything'), shown: String, unlimited: t('billing:subscription.yes') },
    {
      name: t('billing:subscription.assistants'),
      limit: 'active_assistants',
      shown: format.number,
      unlimited: t('billing:subscription.unlimited'),
      used: { value: used.active_assistants, to: paths.assistants },
    },
    {
      name: t('billing:subscription.posts'),
      limit: 'published_posts',
      shown: format.number,
      unlimited: t('billing:subscription.unlimited'),
      used: { value: used.published_posts, to: postsAndArticlesPath({ status: 'published', from: used.month }) },
    },
    limited || !unlocked
      ? {
          name: t('billing:subscription.calls'),
          limit: 'cost_micros',
          shown: (micros) => format.money(micros, used.cost_currency),
          unlimited: t('billing:subscription.budgets'),
          used: { value: used.cost_micros, to: paths.transactions },
        }
      : {
          name: t('billing:subscription.calls'),
          shown: format.number,
          unlimited: t('billing:subscription.budgets'),
          used: { value: used.model_calls, to: paths.transactions },
        },
  ]
  const offered = unlocked ? [[t('billing:subscription.included'), limits] as const] : [[t('billing:subscription.without'), free] as const, [t('billing:subscription.with'), plan] as const]
  return (
    <Panel title={t(unlocked ? 'billing:subscription.unlocks' : 'billing:subscription.unlocksMore', { month: format.month(used.month) })} flush>
      {/* the roles: on phones its rows are no rows of a table to look at */}
      <table className="unlocks" role="table" data-columns={offered.length + 1}>
        <thead role="rowgroup">
          <tr role="row">
            <td />
            {offered.map(([name]) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
            <th role="columnheader" scope="col">
              {t('billing:subscription.usedHead')}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.name} role="row">
              <th role="rowheader" scope="row">
                {row.name}
              </th>
              {offered.map(([name, of]) => (
                <td key={name} role="cell" data-label={name}>
                  {allowed(row, of)}
                </td>
              ))}
              <td role="cell" data-label={t('billing:subscription.usedHead')}>
                {row.used && <Used row={row} used={row.used} limits={limits} unlocked={unlocked} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function allowed({ limit, shown, unlimited }: Row, limits: LimitsOut): string {
  const value = limit ? limits[limit] : null
  return value === null ? unlimited : shown(value)
}

interface UsedProps {
  row: Row
  used: NonNullable<Row['used']>
  limits: LimitsOut
  unlocked: boolean
}

/** The used amount, with the rest if there is a limit. */
function Used({ row: { limit, shown }, used: { value, to }, limits, unlocked }: UsedProps): ReactNode {
  const { t } = useTranslation(['common', 'billing'])
  const most = limit ? limits[limit] : null
  // after a downgrade the usage may exceed the limit: "2 of 1" would make no sense
  const beyond = unlocked ? 'billing:subscription.usedBeyondPlan' : 'billing:subscription.usedBeyondFree'
  const words = value !== null && most !== null && value > most ? beyond : 'billing:subscription.usedOf'
  const link = (
    <Link className="link" to={to}>
      {value === null ? t('billing:subscription.unknown') : most === null ? shown(value) : t(words, { used: shown(value), allowed: shown(most) })}
    </Link>
  )
  if (most === null || value === null) return link
  const isExceeded = value >= most
  const meter = { '--share': most > 0 ? Math.min(1, value / most) : 1, '--share-colour': isExceeded ? 'var(--pl-status-retrying-dot)' : 'var(--pl-thread)' }
  return (
    <>
      {link}
      {isExceeded && (
        <>
          {' '}
          <span className="dim nowrap">· {t('billing:subscription.usedUp')}</span>
        </>
      )}
      <span className="share" aria-hidden style={meter as CSSProperties} />
    </>
  )
}

export function Costs({ used }: { used: UsedOut }) {
  const { t } = useTranslation(['common', 'billing'])
  const format = useFormat()
  return (
    <Panel
      title={t('billing:subscription.costsIn', { month: format.month(used.month) })}
      aside={
        <Link className="link" to={paths.transactions}>
          {t('billing:subscription.all')}
        </Link>
      }
    >
      {used.model_calls === 0 ? (
        <p className="dim">{t('billing:subscription.noCalls')}</p>
      ) : (
        <>
          <p className="subscription-cost">
            <b>{used.cost_micros === null ? t('billing:subscription.unknown') : format.money(used.cost_micros, used.cost_currency)}</b>{' '}
            {t('billing:subscription.forCalls', { count: used.model_calls })}
          </p>
          {used.unpriced > 0 && <p className="dim">{t('billing:subscription.unpriced', { count: used.unpriced })}</p>}
        </>
      )}
    </Panel>
  )
}
