import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { NextOccurrenceOut } from '@/api/types.gen'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { StatTiles } from '@/components/stat-tile'
import type { Format } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { paths } from '@/lib/paths'
import { latestPostsQuery, setupQuery, statsQuery, waitingPostsQuery } from './api'
import { ChannelPanel } from './channel-panel'
import { PostsByDay, SpendingByDay } from './charts'
import { NeedsPanel, needsCount, type Needs } from './needs-panel'
import { NextUp } from './next-up'
import { LatestPosts } from './post-rows'
import { SetupPanel } from './setup-panel'
import { Tiles } from './tiles'

const QUERIES = [setupQuery, statsQuery, latestPostsQuery, waitingPostsQuery] as const

/** What comes next, whether you are needed, and how it went. */
export function Dashboard() {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const answers = useQueries({ queries: [...QUERIES] })
  const [setup, stats, latest, waiting] = answers
  const title = format.longDay(now)
  const broken = answers.find((answer) => answer.isError && !answer.data)
  if (broken?.error) {
    const retry = () => void Promise.all(answers.filter(({ isError }) => isError).map((answer) => answer.refetch()))
    return (
      <>
        <PageHeader title={title} />
        <Failure title={t('dashboard.loadFailed')} problem={broken.error} onRetry={retry} />
      </>
    )
  }
  if (!setup.data || !stats.data || !latest.data || !waiting.data) {
    return (
      <>
        <PageHeader title={title} />
        <TileSkeletons />
        <RowSkeletons rows={5} />
      </>
    )
  }
  const needs: Needs = {
    posts: waiting.data.items,
    total: waiting.data.total,
    disconnected: stats.data.accounts_to_reconnect,
  }
  const needed = needsCount(needs)
  // nothing to tell of yet: the way to the first post comes first
  const first = Object.values(stats.data.posts_by_status).every((count) => count === 0)
  const coming = stats.data.next_occurrences.filter(({ slot }) => Date.parse(slot) > now.getTime())
  return (
    <>
      <PageHeader
        title={title}
        sub={[nextSentence(t, format, now, coming[0]), needed > 0 && t('dashboard.needsYou', { count: needed })]
          .filter(Boolean)
          .join(' ')}
        actions={
          <Button component={Link} to={`${paths.assistants}?new`} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('dashboard.newAssistant')}
          </Button>
        }
      />
      <Tiles stats={stats.data} needed={needed} />
      <div className="cols dash-cols">
        <div className="stack">
          <NeedsPanel needs={needs} />
          {first ? (
            <>
              <SetupPanel setup={setup.data} />
              <Panel>
                <EmptyState title={t('dashboard.firstTitle')} text={t('dashboard.firstText')} />
              </Panel>
            </>
          ) : (
            <>
              <PostsByDay stats={stats.data} />
              <LatestPosts posts={latest.data.items} />
              <SpendingByDay stats={stats.data} />
            </>
          )}
        </div>
        <div className="stack">
          {!first && <SetupPanel setup={setup.data} />}
          <NextUp coming={coming} now={now} />
          <ChannelPanel channels={stats.data.posts_by_channel} />
        </div>
      </div>
    </>
  )
}

function nextSentence(t: TFunction, format: Format, now: Date, next?: NextOccurrenceOut): string {
  if (!next) return t('dashboard.nothingPlanned')
  const when = { day: format.dayInSentence(next.slot, now), time: format.timeInSentence(next.slot) }
  if (next.mode === 'draft') return t('dashboard.nextDraft', when)
  return t('dashboard.next', { ...when, count: next.channels.length })
}

/** The row skeletons below them say that something is loading. */
function TileSkeletons() {
  return (
    <div className="tile-skeletons" aria-hidden>
      <StatTiles>
        {Array.from({ length: 4 }, (_, index) => (
          <div key={index} className="tile">
            <Skeleton height={11} width="62%" />
            <Skeleton height={24} width="34%" my={8} />
            <Skeleton height={9} width="78%" />
          </div>
        ))}
      </StatTiles>
    </div>
  )
}
