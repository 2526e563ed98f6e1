import { IconWand, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Banner } from '@/components/banner'
import { Failure } from '@/components/failure'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { serverClockOffset, useNow } from '@/lib/clock'
import { useLiveState } from '@/lib/live-state'
import type { AssistantLiveOut } from '@/api/types.gen'
import { liveQuery } from '@/features/assistants/api'
import { LiveHead } from './live-head'
import { LiveThread } from './live-thread'
import { moodOf } from './live-view'
import { Occurrences } from '@/features/assistants/occurrences'
import { AssistantControls } from './assistant-controls'

const BudgetPanel = lazyPart(async () => (await import('./budget')).BudgetPanel)
const TextSettings = lazyPart(async () => (await import('./text-settings')).TextSettings)
const MissingList = lazyPart(async () => (await import('@/features/assistants/missing-list')).MissingList)

/** The last runs, at the end of the page. */
const LastRuns = lazyPart(
  async () => (await import('@/features/assistants/runs/run-rows')).LastRuns,
)

/** The live page: current run, next dates, last runs. */
export function LiveOverview({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation(['common', 'runs'])
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery(liveQuery(assistantId))
  if (!data) {
    if (isError) return <Failure title={t('runs:live.loadFailed')} problem={error} onRetry={() => void refetch()} />
    return <RowSkeletons rows={5} />
  }
  // a failed refresh keeps the last data and shows its time
  return <Overview live={data} receivedAt={dataUpdatedAt} isOutdated={isError} />
}

interface OverviewProps {
  live: AssistantLiveOut
  receivedAt: number
  isOutdated: boolean
}

/** How long the page says that the workflow was restarted. */
const SHOWN_FOR = 24 * 3_600_000

function Overview({ live, receivedAt, isOutdated }: OverviewProps) {
  const { t } = useTranslation(['common', 'assistants', 'runs'])
  const format = useFormat()
  const now = useNow(serverClockOffset(live.now, receivedAt))
  const stream = useLiveState()
  const { assistant, occurrences, left_out } = live
  const restarted = assistant.status.restarted_at
  const frozen = isOutdated || stream.status === 'stale'
  const staleSince = frozen ? live.now : live.live ? null : assistant.status.as_of
  return (
    <div className="cols">
      <div className="stack">
        {assistant.status.pending_change && moodOf(live) !== 'activating' && <Banner tone="info" title={t('runs:live.pending')} />}
        {restarted && now.getTime() - Date.parse(restarted) < SHOWN_FOR && (
          <Banner
            tone="info"
            title={t('runs:live.restarted', {
              day: format.dayInSentence(restarted, now),
              time: format.timeInSentence(restarted),
            })}
          />
        )}
        {assistant.asks_about_demo && (
          <Banner tone="info" icon={<IconWand size={18} stroke={1.9} aria-hidden />} title={t('runs:live.demo')}>
            {t('runs:live.asksAboutDemo')}
          </Banner>
        )}
        {!assistant.active && assistant.missing.length > 0 && (
          <div className="missing-notice">
            <strong>{t('assistants:notYet')}</strong>
            <MissingList assistant={assistant} problems={assistant.missing} />
          </div>
        )}
        <section className="panel live">
          <LiveHead live={live} now={now} staleSince={staleSince} />
          {assistant.active && <AssistantControls live={live} now={now} />}
          <LiveThread live={live} now={now} />
        </section>
        <LastRuns assistantId={assistant.id} />
      </div>
      <div className="stack">
        {live.budget_left && <BudgetPanel left={live.budget_left} timeZone={assistant.schedule.time_zone} />}
        <Panel
          title={t('runs:live.nextTitle', { count: occurrences.length || 10 })}
          flush
          aside={
            <span className="zone">
              <IconWorld size={14} aria-hidden /> {assistant.schedule.time_zone.split('/').at(-1)?.replaceAll('_', ' ')}
            </span>
          }
        >
          {assistant.pause && occurrences.length > 0 && <p className="panel-note">{t('runs:live.nextAfterPause')}</p>}
          {!assistant.active && occurrences.length > 0 && <p className="panel-note">{t('runs:live.nextInactive')}</p>}
          {occurrences.length > 0 ? (
            <Occurrences occurrences={occurrences} leftOut={left_out} timeZone={assistant.schedule.time_zone || 'UTC'} />
          ) : (
            <p className="panel-note">{t(assistant.pause ? 'runs:live.nextPaused' : 'runs:live.nextEmpty')}</p>
          )}
        </Panel>
        <TextSettings assistant={assistant} />
      </div>
    </div>
  )
}
