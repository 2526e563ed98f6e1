import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SubscriptionOut, UsedOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { StatusBadge } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import './subscription.css'

/** What is included and what was used of it. Where nobody is charged, no price is shown. */
export function Subscription({ subscription: { used } }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  return (
    <div className="cols">
      <div className="stack">
        <section className="panel subscription-head">
          <StatusBadge status="published" label={t('subscription.selfHosted')} />
          <h2>{t('subscription.selfHostedTitle')}</h2>
          <p>{t('subscription.selfHostedText')}</p>
        </section>
        <Unlocked used={used} />
      </div>
      <Costs used={used} />
    </div>
  )
}

function Unlocked({ used }: { used: UsedOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rows: [name: string, included: string, used: ReactNode][] = [
    [t('subscription.everything'), t('subscription.yes'), null],
    [t('subscription.assistants'), t('subscription.unlimited'), linked(paths.assistants, used.active_assistants)],
    [
      t('subscription.posts'),
      t('subscription.unlimited'),
      linked(`${paths.posts}?status=published&from=${used.month}`, used.published_posts),
    ],
    [t('subscription.calls'), t('subscription.budgets'), linked(paths.transactions, used.model_calls)],
  ]
  return (
    <Panel title={t('subscription.unlocks', { month: format.month(used.month) })} flush>
      <table className="unlocks">
        <thead>
          <tr>
            <td />
            <th scope="col">{t('subscription.included')}</th>
            <th scope="col">{t('subscription.usedHead')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, included, used]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{included}</td>
              <td>{used}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )

  function linked(to: string, count: number): ReactNode {
    return (
      <Link className="link" to={to}>
        {format.number(count)}
      </Link>
    )
  }
}

function Costs({ used }: { used: UsedOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Panel
      title={t('subscription.costs', { month: format.month(used.month) })}
      aside={
        <Link className="link" to={paths.transactions}>
          {t('subscription.all')}
        </Link>
      }
    >
      {used.model_calls === 0 ? (
        <p className="dim">{t('subscription.noCalls')}</p>
      ) : (
        <>
          <p className="subscription-cost">
            <b>{used.cost_micros === null ? t('subscription.unknown') : format.money(used.cost_micros, used.cost_currency)}</b>{' '}
            {t('subscription.forCalls', { count: used.model_calls })}
          </p>
          {used.unpriced > 0 && <p className="dim">{t('subscription.unpriced', { count: used.unpriced })}</p>}
        </>
      )}
    </Panel>
  )
}
