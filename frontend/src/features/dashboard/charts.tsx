import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountStatsOut } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'
import { DayPanel } from './day-panel'
import { costBars, postBars, statusesIn, tokenBars, totalOf } from './figures'

/** How many posts each day had, and what became of them. Kept, since the page around it follows the clock. */
export const PostsByDay = memo(function PostsByDay({ stats }: { stats: AccountStatsOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const bars = postBars(stats.days)
  return (
    <DayPanel
      title={t('dashboard.postsByDay', { count: totalOf(bars), days: bars.length })}
      empty={t('dashboard.postsByDayEmpty')}
      charts={[
        {
          name: t('dashboard.postsName'),
          bars,
          series: statusesIn(stats.days).map((status) => ({
            name: status,
            label: t(`status.${status}`),
            color: `var(--pl-status-${status}-dot)`,
          })),
          text: (count) => format.number(count ?? 0),
        },
      ]}
    />
  )
})

/** What the models read and wrote each day, and what that cost. */
export const SpendingByDay = memo(function SpendingByDay({ stats }: { stats: AccountStatsOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <DayPanel
      title={t('dashboard.spendingByDay', { days: stats.days.length })}
      empty={t(stats.cost_known ? 'dashboard.spendingEmpty' : 'dashboard.spendingUntold')}
      note={stats.cost_known ? undefined : t('dashboard.costNote')}
      charts={[
        {
          name: t('dashboard.tokensName'),
          bars: tokenBars(stats.days),
          series: [
            { name: 'input', label: t('dashboard.tokensInput'), color: 'var(--pl-thread)' },
            { name: 'output', label: t('dashboard.tokensOutput'), color: 'var(--pl-bar-2)' },
          ],
          text: (count) => format.number(count ?? 0),
        },
        {
          name: t('dashboard.costName'),
          bars: costBars(stats.days),
          series: [{ name: 'cost', label: t('dashboard.costName'), color: 'var(--pl-thread)' }],
          text: (micros) => (micros === null ? t('dashboard.notKnown') : format.money(micros, stats.currency)),
          decimals: true,
        },
      ]}
    />
  )
})
