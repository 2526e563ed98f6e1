import { Button, Skeleton } from '@mantine/core'
import { IconPencilPlus, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { channelName, isSite } from '@/components/channel'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { StatTiles } from '@/components/stat-tile'
import type { Format } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { composePath } from '@/lib/compose-path'
import { paths } from '@/lib/paths'
import { countedKindOf } from '@/lib/content-kind'
import { statsQuery, useAnswered, waitingPostsQuery } from './api'
import { ChannelPanel } from './channel-panel'
import { upcomingOf, type Upcoming } from './upcoming'
import { PostsByDay, SpendingByDay } from './charts'
import { DemoDataNote, FirstPosts } from './demo-data'
import { needsOf } from './needs'
import { NeedsPanel } from './needs-panel'
import { NextUp } from './next-up'
import { SetupPanel } from './setup-panel'
import { setupQuery } from './setup-query'
import { Tiles } from './tiles'

/** The dashboard: next posts, what needs the user, and results. */
export function Dashboard() {
  const { t } = useTranslation(['common', 'dashboard', 'navigation'])
  const format = useFormat()
  const now = useNow()
  const setup = useQuery(setupQuery)
  const stats = useQuery(statsQuery)
  const waiting = useQuery(waitingPostsQuery)
  const answers = [setup, stats, waiting]
  const answered = useAnswered()
  const today = format.longDay(now)
  const name = t('navigation:dashboard')
  const broken = answers.find((answer) => answer.isError && !answer.data)
  if (broken?.error) {
    const retry = () => void Promise.all(answers.filter(({ isError }) => isError).map((answer) => answer.refetch()))
    return (
      <>
        <PageHeader kicker={today} title={name} />
        <Failure title={t('dashboard:loadFailed')} problem={broken.error} onRetry={retry} />
      </>
    )
  }
  if (!setup.data || !stats.data || !waiting.data) {
    return (
      <>
        <PageHeader kicker={today} title={name} />
        <TileSkeletons />
        <RowSkeletons rows={5} />
      </>
    )
  }
  const unclear = stats.data.posts_by_status.unknown
  const needs = needsOf(waiting.data, answered, stats.data, unclear > 1)
  // without any data yet, the setup comes first
  const first = Object.values(stats.data.posts_by_status).every((count) => count === 0)
  const upcoming = upcomingOf(stats.data, now)
  const next = nextSentence(t, format, now, upcoming.find((candidate) => !candidate.held))
  const used = stats.data.posts_by_channel.filter(({ posts }) => posts > 0)
  return (
    <>
      <PageHeader
        kicker={today}
        tab={name}
        title={[next, needs.count > 0 && needsSentence(t, needs.count)].filter(Boolean).join(' ')}
        actions={
          <>
            <Button component={Link} to={composePath()} variant="default" leftSection={<IconPencilPlus size={15} aria-hidden />}>
              {t('dashboard:newPost')}
            </Button>
            <Button component={Link} to={`${paths.assistants}?new`} leftSection={<IconPlus size={15} aria-hidden />}>
              {t('dashboard:newAssistant')}
            </Button>
          </>
        }
      />
      <DemoDataNote />
      <Tiles stats={stats.data} needed={needs.count} />
      <div className="cols dash-cols">
        <div className="stack">
          {(needs.count > 0 || !first) && <NeedsPanel needs={needs} next={next} several={unclear} counted={countedKindOf(unclear, stats.data.articles_by_status.unknown)} />}
          {first ? (
            <>
              <SetupPanel setup={setup.data} />
              <FirstPosts offered={!setup.data.steps.some(({ key, done }) => key === 'create_assistant' && done)} />
            </>
          ) : (
            <>
              <PostsByDay stats={stats.data} />
              <SpendingByDay stats={stats.data} />
            </>
          )}
        </div>
        <div className="stack">
          {!first && <SetupPanel setup={setup.data} />}
          <NextUp upcoming={upcoming} paused={stats.data.paused_assistants} now={now} />
          {used.length > 1 && <ChannelPanel channels={used} />}
        </div>
      </div>
    </>
  )
}

function nextSentence(t: TFunction<['common', 'dashboard']>, format: Format, now: Date, next?: Upcoming): string {
  if (!next) return t('dashboard:nothingPlanned')
  const when = { day: format.dayInSentence(next.at, now), time: format.timeInSentence(next.at) }
  if (next.date?.mode === 'draft') return t('dashboard:nextDraft', when)
  const channels = next.channels.map(channelName)
  return channels.length > 0
    ? t(`dashboard:${next.needsApproval ? 'nextIfApproved' : 'next'}.${next.channels.some(isSite) ? 'article' : 'post'}`, { ...when, channels: format.list(channels) })
    : t('dashboard:nextAnywhere', when)
}

/** Return the sentence of how many items need the user; small numbers are words. */
function needsSentence(t: TFunction<['common', 'dashboard']>, count: number): string {
  const number = t(`dashboard:numbers.${count}` as 'dashboard:numbers.2', { defaultValue: String(count) })
  return t('dashboard:needsYou', { count, number })
}

/** The skeletons of the tiles; the row skeletons below announce the loading. */
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
