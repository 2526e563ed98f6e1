import { Button } from '@mantine/core'
import { IconHandStop, IconPlus } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { StatTile, StatTiles } from '@/components/stat-tile'
import type { Format } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { paths } from '@/lib/paths'
import {
  accountsQuery,
  activeAssistantsQuery,
  completePostsQuery,
  draftPostsQuery,
  failedPostsQuery,
  hasUnclear,
  inactiveAssistantsQuery,
  latestPostsQuery,
  publishedPostsQuery,
  soonest,
  templatesQuery,
  topicTreesQuery,
} from './api'
import { NeedsPanel, needsCount, type Needs } from './needs-panel'
import { NextUp } from './next-up'
import { LatestPosts } from './post-rows'
import { setupSteps } from './setup'
import { SetupPanel } from './setup-panel'

const QUERIES = [
  activeAssistantsQuery,
  inactiveAssistantsQuery,
  accountsQuery,
  templatesQuery,
  topicTreesQuery,
  latestPostsQuery,
  publishedPostsQuery,
  draftPostsQuery,
  failedPostsQuery,
  completePostsQuery,
] as const

/** What comes next, whether you are needed, and how it went: only what the lists of the server say. */
export function Dashboard() {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const answers = useQueries({ queries: [...QUERIES] })
  const [active, inactive, accounts, templates, topicTrees, latest, published, drafts, failed, complete] = answers
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
  if (
    !active.data || !inactive.data || !accounts.data || !templates.data || !topicTrees.data ||
    !latest.data || !published.data || !drafts.data || !failed.data || !complete.data
  ) {
    return (
      <>
        <PageHeader title={title} />
        <RowSkeletons rows={5} />
      </>
    )
  }
  const needs: Needs = {
    unclear: complete.data.items.filter(hasUnclear),
    failed: failed.data.items,
    failedTotal: failed.data.total,
    disconnected: accounts.data.filter(({ state }) => state === 'needs_reconnecting'),
  }
  const needed = needsCount(needs)
  const assistants = active.data.total + inactive.data.total
  const [next] = soonest(active.data.items, 1)
  const steps = setupSteps({
    accounts: accounts.data.length,
    templates: templates.data.total,
    topicTrees: topicTrees.data.total,
    assistants,
    active: active.data.total,
  })
  return (
    <>
      <PageHeader
        title={title}
        sub={[nextSentence(t, format, now, next), needed > 0 && t('dashboard.needsYou', { count: needed })]
          .filter(Boolean)
          .join(' ')}
        actions={
          <Button component={Link} to={`${paths.assistants}?new`} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('dashboard.newAssistant')}
          </Button>
        }
      />
      <StatTiles>
        <StatTile
          label={t('dashboard.tileActive')}
          value={format.number(active.data.total)}
          sub={t('dashboard.tileActiveSub', { count: assistants })}
        />
        <NextTile next={next} now={now} />
        <StatTile
          label={t('dashboard.tilePublished')}
          value={format.number(published.data.total)}
          sub={t('dashboard.tilePublishedSub', { count: drafts.data.total })}
        />
        <StatTile
          tone={needed > 0 ? 'turn' : undefined}
          icon={<IconHandStop size={14} aria-hidden />}
          label={t('dashboard.tileNeeds')}
          value={format.number(needed)}
          sub={t(needed > 0 ? 'dashboard.tileNeedsSub' : 'dashboard.tileNeedsNone')}
        />
      </StatTiles>
      <div className="cols dash-cols">
        <div className="stack">
          <NeedsPanel needs={needs} />
          <LatestPosts posts={latest.data.items} />
        </div>
        <div className="stack">
          <SetupPanel steps={steps} />
          <NextUp assistants={active.data.items} now={now} />
        </div>
      </div>
    </>
  )
}

function nextSentence(t: TFunction, format: Format, now: Date, next?: AssistantOut): string {
  const slot = next?.status.next_slot
  if (!next || !slot) return t('dashboard.nothingPlanned')
  const when = { day: format.dayInSentence(slot, now), time: format.timeInSentence(slot) }
  if (next.mode === 'draft') return t('dashboard.nextDraft', when)
  return t('dashboard.next', { ...when, count: new Set(next.accounts.map(({ kind }) => kind)).size })
}

function NextTile({ next, now }: { next?: AssistantOut; now: Date }) {
  const { t } = useTranslation()
  const format = useFormat()
  const slot = next?.status.next_slot
  if (!next || !slot) {
    return <StatTile label={t('dashboard.tileNext')} value={t('dashboard.tileNextNone')} sub={t('dashboard.tileNextNoneSub')} />
  }
  const today = format.day(slot, now) === format.day(now, now)
  return (
    <StatTile
      label={t('dashboard.tileNext')}
      value={format.time(slot)}
      unit={today ? t('dashboard.today') : format.day(slot, now)}
      sub={next.name}
    />
  )
}
