import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountStatsOut } from '@/api/types.gen'
import { isEmpty, totalOf } from '@/components/bars'
import { useFormat } from '@/i18n/use-format'
import { DayPanel, type Chart } from '@/components/day-panel'
import { countedKindOf } from '@/lib/content-kind'
import { costBars, postBars, statusesIn, tokenBars } from './figures'

const TWO_WEEKS = 14

/**
 * The posts and articles of each day of two weeks, by status. Memoized, since the page around it re-renders every
 * second.
 */
export const PostsByDay = memo(function PostsByDay({ stats }: { stats: AccountStatsOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const days = stats.days.slice(-TWO_WEEKS)
  const bars = postBars(days)
  const failed = days.reduce((sum, { posts }) => sum + posts.failed, 0)
  const count = totalOf(bars)
  const counted = countedKindOf(count, days.reduce((sum, { articles }) => sum + Object.values(articles).reduce((all, value) => all + value, 0), 0))
  const posts = t(`dashboard:postsByDay.${counted}`, { count })
  return (
    <DayPanel
      title={failed > 0 ? t('dashboard:postsFailed', { posts, failed: format.number(failed) }) : posts}
      empty={t('dashboard:postsByDayEmpty')}
      charts={[
        {
          name: t(`dashboard:postsName.${counted}`),
          bars,
          series: statusesIn(days).map((status) => ({
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

/** The tokens and cost of each day. Renders nothing if no model was called. */
export const SpendingByDay = memo(function SpendingByDay({ stats }: { stats: AccountStatsOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const tokens = tokenBars(stats.days)
  const costs = costBars(stats.days)
  if ([...tokens, ...costs].every(isEmpty)) return null
  const charts: Chart[] = [
    {
      name: t('dashboard:tokensName'),
      bars: tokens,
      series: [
        { name: 'input', label: t('dashboard:tokensInput'), color: 'var(--pl-thread)' },
        { name: 'output', label: t('dashboard:tokensOutput'), color: 'var(--pl-bar-2)' },
      ],
      text: (count) => format.number(count ?? 0),
    },
    {
      name: t('dashboard:costName'),
      bars: costs,
      series: [{ name: 'cost', label: t('dashboard:costName'), color: 'var(--pl-thread)' }],
      text: (micros) => (micros === null ? t('dashboard:notKnown') : format.money(micros, stats.currency)),
      decimals: true,
    },
  ]
  return (
    <DayPanel
      title={t('dashboard:spendingByDay', { days: stats.days.length })}
      note={stats.cost_known ? undefined : t('dashboard:costNote')}
      charts={charts.filter(({ bars }) => !bars.every(isEmpty))}
    />
  )
})
