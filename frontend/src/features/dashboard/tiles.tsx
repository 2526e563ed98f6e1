import { IconArrowDownRight, IconArrowUpRight, IconHandStop } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { AccountStatsOut } from '@/api/types.gen'
import { StatTile, StatTiles } from '@/components/stat-tile'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { postsAndArticlesPath as listOf } from '@/lib/post-list-path'
import { countedKindOf } from '@/lib/content-kind'
import { NEEDS } from './places'

const NO_FIGURE = '–'

interface TilesProps {
  stats: AccountStatsOut
  needed: number
}

/**
 * The tiles: posts and articles, what needs the user, results, and cost or else what is ready; each with a comparison.
 */
export function Tiles({ stats, needed }: TilesProps) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const tokens = stats.input_tokens + stats.output_tokens
  // the demo writer and cards use no model
  const usesModel = tokens > 0 || stats.cost_micros !== 0
  return (
    <StatTiles>
      <StatTile
        label={t('dashboard:tilePublished')}
        value={format.number(stats.published_posts)}
        to={stats.published_posts > 0 ? listOf({ state: 'live', ...span(stats) }) : undefined}
        sub={<Comparison current={stats.published_posts} before={stats.published_posts_before} />}
      />
      <StatTile
        tone={needed > 0 ? 'turn' : undefined}
        icon={<IconHandStop size={14} aria-hidden />}
        label={t('dashboard:tileNeeds')}
        value={format.number(needed)}
        to={needed > 0 ? `#${NEEDS}` : undefined}
        sub={t(needed > 0 ? 'dashboard:tileNeedsSub' : 'dashboard:tileNeedsNone')}
      />
      <StatTile
        label={t('dashboard:tileSuccess')}
        value={stats.success_rate === null ? NO_FIGURE : format.percent(stats.success_rate)}
        to={postsOf(stats, 'failed') > 0 ? listOf({ status: 'failed', ...span(stats) }) : undefined}
        sub={<Outcomes stats={stats} />}
      />
      {usesModel ? (
        <StatTile
          label={t('dashboard:tileCost')}
          value={stats.cost_micros === null ? NO_FIGURE : format.money(stats.cost_micros, stats.currency)}
          to={`${paths.transactions}?period=thirtyDays`}
          sub={[
            t('dashboard:tokens', { count: tokens }),
            !stats.cost_known && t(stats.cost_micros === null ? 'dashboard:costUnknown' : 'dashboard:costPartly'),
          ]
            .filter(Boolean)
            .join(' · ')}
        />
      ) : (
        <StatTile
          label={t('dashboard:tileReady')}
          value={format.number(stats.posts_by_status.complete)}
          // the list counts them as unclear
          to={stats.posts_by_status.complete > 0 && stats.posts_by_status.unknown === 0 ? listOf({ status: 'complete' }) : undefined}
          sub={
            stats.posts_by_status.draft > 0 ? (
              <Link className="link" to={listOf({ status: 'draft' })}>
                {t('dashboard:tileDrafts', { count: stats.posts_by_status.draft })}
              </Link>
            ) : (
              t('dashboard:tileNoDrafts')
            )
          }
        />
      )}
    </StatTiles>
  )
}

/** Return the days of the figures as filters of the list of posts; both go by planned times. */
function span({ days }: AccountStatsOut): { from: string; to: string } | undefined {
  const [first, last] = [days[0], days.at(-1)]
  return first && last && { from: first.day, to: last.day }
}

/** Return the number of posts and articles of these days with a status, as in the list. */
const postsOf = ({ days }: AccountStatsOut, status: 'failed' | 'unknown') =>
  days.reduce((sum, { posts }) => sum + posts[status], 0)

const articlesOf = ({ days }: AccountStatsOut, status: 'failed') =>
  days.reduce((sum, { articles }) => sum + articles[status], 0)

function Comparison({ current, before }: { current: number; before: number }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const difference = current - before
  if (current === 0 && before === 0) return t('dashboard:publishedNone')
  // nothing to compare with, as in a user's first month
  if (before === 0) return null
  if (difference === 0) return t('dashboard:publishedSame')
  const Icon = difference > 0 ? IconArrowUpRight : IconArrowDownRight
  return (
    <span className="compared">
      <Icon size={13} aria-hidden />
      {t(difference > 0 ? 'dashboard:publishedMore' : 'dashboard:publishedFewer', { count: Math.abs(difference) })}
    </span>
  )
}

/** The failed and unclear posts, with links to their lists, and the dates without a run. */
function Outcomes({ stats }: { stats: AccountStatsOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const { published_deliveries: published, failed_deliveries, unknown_deliveries, left_out_runs } = stats
  const [failed, unclear] = [postsOf(stats, 'failed'), postsOf(stats, 'unknown')]
  const settled = published + failed_deliveries
  const well = failed === 0 && unknown_deliveries === 0
  const settledText = settled === 0 ? well && t('dashboard:settledNone') : t(well ? 'dashboard:settledAll' : 'dashboard:settledSome', { count: settled })
  const facts = [
    failed_deliveries === 0 && settledText,
    // posts planned before these days are counted, but not in their list
    failed > 0 ? (
      <Link className="link" to={listOf({ status: 'failed', ...span(stats) })}>
        {t(`dashboard:failedPosts.${countedKindOf(failed, articlesOf(stats, 'failed'))}`, { count: failed })}
      </Link>
    ) : (
      failed_deliveries > 0 && t('dashboard:settledFailed', { failed: format.number(failed_deliveries), count: settled })
    ),
    unclear > 0 ? (
      <Link className="link nowrap" to={listOf({ state: 'unknown', ...span(stats) })}>
        {t('dashboard:unclear', { count: unclear })}
      </Link>
    ) : (
      unknown_deliveries > 0 && t('dashboard:unclear', { count: unknown_deliveries })
    ),
    left_out_runs.some(({ missed }) => missed > 0) && <LeftOut by={left_out_runs} state="missed" days={span(stats)} />,
    left_out_runs.some(({ skipped }) => skipped > 0) && <LeftOut by={left_out_runs} state="skipped" days={span(stats)} />,
  ].filter(Boolean)
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {fact}
    </Fragment>
  ))
}

const NAMED = 3

interface LeftOutProps {
  by: AccountStatsOut['left_out_runs']
  state: 'missed' | 'skipped'
  days: ReturnType<typeof span>
}

/** The number of dates without a run: linked to one assistant's list if all are of it, else one link each. */
function LeftOut({ by, state, days }: LeftOutProps) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const concerned = by.filter((assistant) => assistant[state] > 0)
  const count = concerned.reduce((sum, assistant) => sum + assistant[state], 0)
  const total = t(state === 'missed' ? 'dashboard:missed' : 'dashboard:skipped', { count })
  // what a person has left out is not counted, and not listed
  const query = String(new URLSearchParams({ tab: 'runs', state, ...days, by: 'itself' }))
  const listOfRuns = (id: string) => `${generatePath(paths.assistant, { assistantId: id })}?${query}`
  const [first] = concerned
  if (first && concerned.length === 1)
    return (
      <Link className="link" to={listOfRuns(first.assistant_id)}>
        {total}
      </Link>
    )
  const moreCount = concerned.length - NAMED
  return (
    <>
      {total} (
      {concerned.slice(0, NAMED).map(({ assistant_id, name, ...counts }, index) => (
        <Fragment key={assistant_id}>
          {index > 0 && ', '}
          <Link className="link" to={listOfRuns(assistant_id)}>
            {name}
          </Link>{' '}
          {format.number(counts[state])}
        </Fragment>
      ))}
      {moreCount > 0 && (
        <>
          {', '}
          <Link className="link" to={paths.assistants}>
            {t('dashboard:leftOutOthers', { count: moreCount })}
          </Link>
        </>
      )}
      )
    </>
  )
}
