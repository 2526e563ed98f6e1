import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RunOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { runsQuery } from '@/features/assistants/api'
import { RunBadge } from '@/features/assistants/assistant-badge'
import { costText } from '@/features/assistants/cost-text'
import { runPath } from '@/lib/run-path'
import { assistantPath } from '@/features/assistants/links'
import { runReasonText } from './run-reason'

const LAST = 5

function RunRow({ run }: { run: RunOut }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const title = run.topic_title ?? (run.state === 'missed' || run.reason === 'skipped_by_hand' ? format.longDay(run.slot) : t('runs:live.noTopic'))
  const byHandText = run.by_hand ? [t('runs:live.byHand')] : []
  const facts = [format.dayAndTime(run.slot), ...byHandText, ...costText(t, format, run)]
  return (
    <li>
      <div className="grow two-lines">
        <Link className="run-name" to={runPath(run.assistant_id, run.id)}>
          {title}
        </Link>
        <small className="num">{facts.join(' · ')}</small>
        {run.reason && run.state !== 'published' && (
          <small className="run-reason">{runReasonText(t, run)}</small>
        )}
      </div>
      <RunBadge run={run} />
    </li>
  )
}

/** The latest runs, with a link to all. */
export function LastRuns({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation(['common', 'runs'])
  const { data, isError, error, refetch } = useQuery(runsQuery(assistantId, { page_size: LAST }))
  if (isError) return <Failure title={t('runs:live.runsFailed')} problem={error} onRetry={() => void refetch()} />
  if (!data) return <RowSkeletons rows={3} />
  return (
    <Panel
      title={t('runs:live.runs')}
      flush
      aside={
        data.total > LAST && (
          <Link className="link" to={assistantPath(assistantId, 'runs')}>
            {t('runs:live.allRuns', { count: data.total })}
          </Link>
        )
      }
    >
      {data.items.length === 0 ? (
        <p className="panel-note">{t('runs:live.runsEmpty')}</p>
      ) : (
        <ul className="rows plain-list">
          {data.items.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
