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
const ITSELF = 'itself'
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

/** Every run and what it came to, missed ones too; one of them in a drawer. All of it is in the address. */
export function RunList({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { filter, change } = useUrlFilters()
  const zone = useTimeZone()
  const list = useRef<HTMLDivElement>(null)
  const state = STATES.find((known) => known === filter('state')) ?? null
  const sort = SORTS.find((known) => known === filter('sort')) ?? 'newest'
  const cursor = filter('cursor') || undefined
  const runId = filter('run')
  const days = { from: validDay(filter('from')), to: validDay(filter('to')) }
  const byItself = filter('by') === ITSELF
  const narrowed = days.from !== null || days.to !== null || byItself
  const runs = useQuery(
    runsQuery(assistantId, {
      state,
      sort,
      cursor,
      page_size: PAGE,
      slot_from: dayStart(days.from, zone),
      slot_before: dayEnd(days.to, zone),
      by_itself: byItself || undefined,
    }),
  )
  const narrow = (changes: Record<string, string | null>) => change({ ...changes, cursor: null })
  const clear = () => narrow({ state: null, from: null, to: null, by: null })

  function close() {
    change({ run: null })
    // the run that was shown last, where it is on this page
    const row = list.current?.querySelector<HTMLElement>(`[data-run="${CSS.escape(runId)}"]`)
    ;(row ?? list.current)?.focus()
  }

  const drawer = (
    <RunDrawer
      opened={runId !== ''}
      assistantId={assistantId}
      runId={runId}
      state={state}
      onShow={(id) => change({ run: id })}
      onClose={close}
    />
  )
  if (runs.isError && !runs.data)
    return <Failure title={t('runs:live.runsFailed')} problem={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <RowSkeletons rows={6} />
  const { items, counts, total, next_cursor } = runs.data
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div ref={list} tabIndex={-1} className="runs">
      {all === 0 && !narrowed ? (
        <section className="panel" aria-label={t('runs:label')}>
          <p className="panel-note">{t('runs:live.runsEmpty')}</p>
        </section>
      ) : (
        <>
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
              allowDeselect={false}
              data={SORTS.map((value) => ({ value, label: t(`runs:sorts.${value}`) }))}
              value={sort}
              onChange={(value) => narrow({ sort: value === 'newest' ? null : value })}
            />
            {(days.from ?? days.to) && (
              <Narrowed label={t('runs:days')} onClear={() => narrow({ from: null, to: null })}>
                {[days.from, days.to].map((day) => day && format.day(instantOf(`${day}T12:00`, zone))).join(' – ')}
              </Narrowed>
            )}
            {byItself && <Narrowed onClear={() => narrow({ by: null })}>{t('runs:byItself')}</Narrowed>}
            {(state ?? narrowed) && (
              <Button variant="subtle" size="xs" onClick={clear}>
                {t('clear')}
              </Button>
            )}
          </div>
          {items.length === 0 ? (
            <NoMatch text={t('runs:noMatch')} onClear={clear} />
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
      {drawer}
    </div>
  )
}

/** What the address narrows the list to, beside the state: it can be taken back. */
function Narrowed({ label, children, onClear }: { label?: string; children: ReactNode; onClear: () => void }) {
  return (
    <FilterChip selected onClick={onClear}>
      <span className="clip">
        {label && <span className="vh">{label}:</span>} {children}
      </span>
      <IconX size={14} aria-hidden />
    </FilterChip>
  )
}

/** The same list with this run in its drawer. */
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
  /** Cards have no heads of columns. */
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
        <div className="two">
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

/** Where the post can be seen: one link per account that has it. */
function PostLinks({ run }: { run: ListedRunOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const there = run.deliveries.filter(({ permalink }) => permalink)
  if (there.length === 0) return <span data-none>{NONE}</span>
  return (
    <span className="runs-posts">
      {there.map((delivery) => (
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
