import { Button, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { ListedRunOut, RunSort, RunState } from '@/api/types.gen'
import { ChannelIcon, channelName } from '@/components/channel'
import { CursorPager } from '@/components/cursor-pager'
import { DataList, type Column } from '@/components/data-list'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { lazyPart } from '@/components/lazy-part'
import { NoMatch } from '@/components/no-match'
import { RowSkeletons } from '@/components/skeletons'
import { StatusIcon } from '@/components/status'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { dayStart, validDay, dayEnd } from '@/lib/day-span'
import { instantOf } from '@/lib/time-zones'
import { useUrlFilters } from '@/lib/url-filters'
import { runsQuery } from '@/features/assistants/api'
import { RunBadge } from '@/features/assistants/assistant-badge'
import { runStatus } from './run-state'
import { costOf, latenessText, NONE, tokensText } from './run-view'
import { SlotText } from '@/features/assistants/slot-text'
import { runReasonText } from './run-reason'
import { contentKindOf } from '@/lib/content-kind'
import './runs.css'

const RunDrawer = lazyPart(async () => (await import('./run-drawer')).RunDrawer)

const PAGE = 25
const SCHEDULED = 'itself' // value of the filter `by`
const SORTS: readonly RunSort[] = ['newest', 'oldest']
const STATES: readonly RunState[] = [
  'preparing',
  'waiting',
  'ready',
  'publishing',
  'published',
  'drafted',
  'unknown',
  'held',
  'failed',
  'missed',
  'skipped',
]

/** The runs of an assistant, also missed ones, and a drawer with one of them. All choices are in the URL. */
export function RunList({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation(['common', 'runs'])
  const list = useRef<HTMLDivElement>(null)
  const filters = useRunFilters()
  const { state, cursor, runId, change } = filters
  const runs = useQuery(runsQuery(assistantId, filters.query))

  function close() {
    change({ run: null })
    // focus the run that was shown last, if it is on this page
    const row = list.current?.querySelector<HTMLElement>(`[data-run="${CSS.escape(runId)}"]`)
    ;(row ?? list.current)?.focus()
  }

  if (runs.isError && !runs.data)
    return <Failure title={t('runs:live.runsFailed')} problem={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <RowSkeletons rows={6} />
  const { items, counts, total, next_cursor } = runs.data
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div ref={list} tabIndex={-1} className="runs">
      {all === 0 && !filters.isNarrowed ? (
        <section className="panel" aria-label={t('runs:label')}>
          <p className="panel-note">{t('runs:live.runsEmpty')}</p>
        </section>
      ) : (
        <>
          <RunFilterBar filters={filters} counts={counts} all={all} />
          {items.length === 0 ? (
            <NoMatch text={t('runs:noMatch')} onClear={filters.clear} />
          ) : (
            <RunTable rows={items} />
          )}
          <div className="listfoot listfoot-row">
            <span className="num" role="status">
              {t('runs:count', { count: total })}
            </span>
            <CursorPager
              label={t('runs:live.pages')}
              newest={t('runs:firstPage')}
              older={t('runs:nextPage')}
              cursor={cursor}
              nextCursor={next_cursor}
            />
          </div>
        </>
      )}
      <RunDrawer
        opened={runId !== ''}
        assistantId={assistantId}
        runId={runId}
        state={state}
        onShow={(id) => change({ run: id })}
        onClose={close}
      />
    </div>
  )
}

/** Return the filters of the address, the query that they make, and what changes them. */
function useRunFilters() {
  const { filter, change } = useUrlFilters()
  const zone = useTimeZone()
  const state = STATES.find((option) => option === filter('state')) ?? null
  const sort = SORTS.find((option) => option === filter('sort')) ?? 'newest'
  const cursor = filter('cursor') || undefined
  const days = { from: validDay(filter('from')), to: validDay(filter('to')) }
  const isScheduled = filter('by') === SCHEDULED
  const narrow = (changes: Record<string, string | null>) => change({ ...changes, cursor: null })
  return {
    state,
    sort,
    cursor,
    days,
    /** Only runs that the schedule has started. */
    isScheduled,
    /** The id of the run in the drawer; empty if it is closed. */
    runId: filter('run'),
    /** Whether a filter other than the state is set. */
    isNarrowed: days.from !== null || days.to !== null || isScheduled,
    query: {
      state,
      sort,
      cursor,
      page_size: PAGE,
      slot_from: dayStart(days.from, zone),
      slot_before: dayEnd(days.to, zone),
      by_itself: isScheduled || undefined,
    },
    change,
    /** Change filters, and go to the first page. */
    narrow,
    clear: () => narrow({ state: null, from: null, to: null, by: null }),
  }
}

interface RunFilterBarProps {
  filters: ReturnType<typeof useRunFilters>
  /** How many runs there are in each state. */
  counts: Partial<Record<RunState, number>>
  /** How many runs there are in all states. */
  all: number
}

function RunFilterBar({ filters, counts, all }: RunFilterBarProps) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const zone = useTimeZone()
  const { state, sort, days, narrow } = filters
  return (
    <div className="filters">
      <FilterChip selected={state === null} count={all} onClick={() => narrow({ state: null })}>
        {t('runs:all')}
      </FilterChip>
      {STATES.filter((value) => value === state || counts[value]).map((value) => (
        <FilterChip
          key={value}
          selected={value === state}
          count={counts[value] ?? 0}
          onClick={() => narrow({ state: value })}
        >
          <StatusIcon status={runStatus(value)} size={14} />
          {t(`runs:live.runState.${value}`)}
        </FilterChip>
      ))}
      <Select
        className="filter-select runs-sort"
        aria-label={t('runs:sort')}
        data={SORTS.map((value) => ({ value, label: t(`runs:sorts.${value}`) }))}
        value={sort}
        onChange={(value) => narrow({ sort: value === 'newest' ? null : value })}
      />
      {(days.from ?? days.to) && (
        <RemovableFilter label={t('runs:days')} onRemove={() => narrow({ from: null, to: null })}>
          {[days.from, days.to].map((day) => day && format.day(instantOf(`${day}T12:00`, zone))).join(' – ')}
        </RemovableFilter>
      )}
      {filters.isScheduled && <RemovableFilter onRemove={() => narrow({ by: null })}>{t('runs:byItself')}</RemovableFilter>}
      {(state ?? filters.isNarrowed) && (
        <Button variant="subtle" size="xs" onClick={filters.clear}>
          {t('clear')}
        </Button>
      )}
    </div>
  )
}

/** A filter that only a link sets, such as a day; a click removes it. */
function RemovableFilter({ label, children, onRemove }: { label?: string; children: ReactNode; onRemove: () => void }) {
  return (
    <FilterChip selected onClick={onRemove}>
      <span className="clip">
        {label && <span className="vh">{label}:</span>} {children}
      </span>
      <IconX size={14} aria-hidden />
    </FilterChip>
  )
}

/** Return the address of the same list with a run in its drawer. */
function useRunLink() {
  const { pathname, search } = useLocation()
  return (runId: string) => {
    const query = new URLSearchParams(search)
    query.set('run', runId)
    return `${pathname}?${query}`
  }
}

function RunTable({ rows }: { rows: ListedRunOut[] }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const to = useRunLink()
  // cards have no column headers
  const figure = (label: string, value: string) => (
    <span data-none={value === NONE || undefined}>
      <span className="card-label">{label}</span> {value}
    </span>
  )
  const written = rows.some(({ is_article }) => !is_article) ? 'post' : 'article'
  const columns: Column<ListedRunOut>[] = [
    {
      key: 'slot',
      header: t('runs:slot'),
      card: 'start',
      cell: (run) => (
        <Link className="rowlink" to={to(run.id)} data-run={run.id}>
          <SlotText run={run} />
        </Link>
      ),
    },
    {
      key: 'state',
      header: t('runs:state'),
      card: 'end',
      cell: (run) => <RunBadge run={run} />,
    },
    {
      key: 'topic',
      header: t('runs:topic'),
      card: 'wide',
      cell: (run) => (
        <div className="two-lines">
          {run.topic_title}
          {run.reason && run.state !== 'published' && <small className="run-reason">{runReasonText(t, run)}</small>}
        </div>
      ),
    },
    {
      key: 'attempts',
      header: t('runs:attempts'),
      numeric: true,
      spare: true,
      card: 'start',
      cell: (run) => figure(t('runs:attempts'), run.attempts === null ? NONE : format.number(run.attempts)),
    },
    {
      key: 'tokens',
      header: t('runs:tokens'),
      numeric: true,
      spare: true,
      card: 'end',
      cell: (run) => figure(t('runs:tokens'), tokensText(format, run)),
    },
    {
      key: 'cost',
      header: t('runs:cost'),
      numeric: true,
      card: 'start',
      cell: (run) => figure(t('runs:cost'), costOf(format, run)),
    },
    {
      key: 'lateness',
      header: t('runs:lateness'),
      numeric: true,
      card: 'end',
      cell: (run) => figure(t('runs:lateness'), latenessText(format, run.lateness_ms)),
    },
    {
      key: 'post',
      header: t(`runs:post.${written}`),
      spare: true,
      card: 'end',
      cell: (run) => <PostLinks run={run} />,
    },
  ]
  return <DataList label={t('runs:label')} columns={columns} rows={rows} rowKey={(run) => run.id} />
}

/** Links to the published post, one for each account. */
function PostLinks({ run }: { run: ListedRunOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const published = run.deliveries.filter(({ permalink }) => permalink)
  if (published.length === 0) return <span data-none>{NONE}</span>
  return (
    <span className="runs-posts">
      {published.map((delivery) => (
        <a
          key={delivery.id}
          className="over-row"
          href={delivery.permalink ?? ''}
          target="_blank"
          rel="noreferrer"
          aria-label={t(`runs:openAt.${contentKindOf(run)}`, { name: delivery.account_name, network: channelName(delivery.channel) })}
          title={t(`runs:openAt.${contentKindOf(run)}`, { name: delivery.account_name, network: channelName(delivery.channel) })}
        >
          <ChannelIcon channel={delivery.channel} size={17} />
        </a>
      ))}
    </span>
  )
}
