import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { RunOut } from '@/api/types.gen'
import { CursorPager } from '@/components/cursor-pager'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { reasonText } from '@/lib/problems'
import { runsQuery } from './api'
import { RunBadge } from './assistant-badge'
import { costText } from './cost-text'
import { assistantPath, postPath } from './links'

const LAST = 5
const PAGE = 25

function RunRow({ run }: { run: RunOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const title = run.topic_title ?? t('liveRun.noTopic')
  const facts = [format.dayAndTime(run.slot), ...costText(t, format, run)]
  return (
    <li>
      <div className="grow two">
        {run.post_id ? (
          <Link className="run-name" to={postPath(run.post_id)}>
            {title}
          </Link>
        ) : (
          <b>{run.state === 'missed' ? format.longDay(run.slot) : title}</b>
        )}
        <small className="num">{facts.join(' · ')}</small>
        {run.reason && run.state !== 'published' && (
          <small className="run-reason">{reasonText(t, run.reason)}</small>
        )}
      </div>
      <RunBadge run={run} />
    </li>
  )
}

/** The newest few, with the way to all. */
export function LastRuns({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation()
  const { data, isError, error, refetch } = useQuery(runsQuery(assistantId, LAST))
  if (isError) return <Failure title={t('liveRun.runsFailed')} problem={error} onRetry={() => void refetch()} />
  if (!data) return <RowSkeletons rows={3} />
  return (
    <Panel
      title={t('liveRun.runs')}
      flush
      aside={
        data.total > LAST && (
          <Link className="link" to={assistantPath(assistantId, 'runs')}>
            {t('liveRun.allRuns', { count: data.total })}
          </Link>
        )
      }
    >
      {data.items.length === 0 ? (
        <p className="panel-note">{t('liveRun.runsEmpty')}</p>
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

/** Every run, newest slot first, missed ones too. */
export function AllRuns({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const cursor = query.get('cursor') ?? undefined
  const { data, isError, error, refetch } = useQuery(runsQuery(assistantId, PAGE, cursor))
  if (isError) return <Failure title={t('liveRun.runsFailed')} problem={error} onRetry={() => void refetch()} />
  if (!data) return <RowSkeletons rows={6} />
  return (
    <>
      <section className="panel" aria-label={t('liveRun.runsLabel')}>
        {data.items.length === 0 ? (
          <p className="panel-note">{t('liveRun.runsEmpty')}</p>
        ) : (
          <ul className="rows plain-list">
            {data.items.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </ul>
        )}
      </section>
      <CursorPager
        label={t('liveRun.pages')}
        newest={t('liveRun.newest')}
        older={t('liveRun.older')}
        cursor={cursor}
        nextCursor={data.next_cursor}
      />
    </>
  )
}
