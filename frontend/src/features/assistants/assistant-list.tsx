import { Button, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { CursorPager } from '@/components/cursor-pager'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge } from '@/components/status'
import { Tag } from '@/components/tag'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { millisecondsUntil, useNow } from '@/lib/clock'
import { paths } from '@/lib/paths'
import { reasonText } from '@/lib/problems'
import { accountsQuery, assistantCountQuery, assistantsQuery } from './api'
import { AssistantBadge, RunBadge } from './assistant-badge'
import { assistantPath, nameText, newAssistantPath } from './links'
import { pauseText } from '@/features/assistants/live/pause-text'
import { publishTimeOf, stateNow } from '@/features/assistants/runs/run-state'
import { scheduleText } from './schedule-text'
import { useActivation } from './use-activation'
import { contentKindOfAssistant } from '@/lib/content-kind'

const TYPING = 300 // ms
type Activation = ReturnType<typeof useActivation>

const STATES = {
  active: { active: true, paused: false },
  paused: { paused: true },
  inactive: { active: false },
} as const
type State = keyof typeof STATES

const isState = (text: string | null): text is State => text !== null && Object.hasOwn(STATES, text)

export function AssistantList() {
  const { t } = useTranslation(['common', 'assistants', 'runs'])
  const [query, setQuery] = useSearchParams()
  const search = query.get('search') ?? ''
  const stateParam = query.get('state')
  const state = isState(stateParam) ? stateParam : null
  const cursor = query.get('cursor') ?? undefined
  const page = useQuery(assistantsQuery({ search, ...(state && STATES[state]), cursor }))
  const all = useQuery(assistantCountQuery({ search }))
  const active = useQuery(assistantCountQuery({ search, ...STATES.active }))
  const paused = useQuery(assistantCountQuery({ search, ...STATES.paused }))
  const inactive = useQuery(assistantCountQuery({ search, ...STATES.inactive }))
  const states: [State, string, number | undefined][] = [
    ['active', t('assistants:active'), active.data],
    ['paused', t('assistants:paused'), paused.data],
    ['inactive', t('assistants:inactive'), inactive.data],
  ]
  const activation = useActivation()
  const columns = useColumns(activation)

  const filter = (name: string, value: string) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        if (value) after.set(name, value)
        else after.delete(name)
        after.delete('cursor')
        return after
      },
      { replace: true },
    )

  if (page.isError) {
    return <Failure title={t('assistants:loadFailed')} problem={page.error} onRetry={() => void page.refetch()} />
  }
  if (page.data?.total === 0 && !search && state === null) return <NoAssistants />
  return (
    <>
      {activation.dialog}
      <div className="filters">
        <SearchField value={search} onChange={(value) => filter('search', value)} />
        <FilterChip selected={state === null} count={all.data} onClick={() => filter('state', '')}>
          {t('assistants:filterAll')}
        </FilterChip>
        {states.map(([option, label, count]) => (
          <FilterChip key={option} selected={state === option} count={count} onClick={() => filter('state', option)}>
            {label}
          </FilterChip>
        ))}
        {(search || state !== null) && (
          <Button variant="subtle" size="xs" component={Link} to={paths.assistants} replace>
            {t('assistants:clearFilters')}
          </Button>
        )}
      </div>
      {!page.data && <RowSkeletons rows={5} />}
      {page.data?.items.length === 0 && (
        <p className="panel nothing" role="status">
          {search ? t('assistants:nothingFound', { search }) : t('assistants:nothingInFilter')}
        </p>
      )}
      {page.data && page.data.items.length > 0 && (
        <>
          <div className="assistant-rows">
            <DataList label={t('assistants:listLabel')} columns={columns} rows={page.data.items} rowKey={({ id }) => id} />
          </div>
          <p className="listfoot num">{t('assistants:total', { count: page.data.total })}</p>
          <CursorPager
            label={t('runs:live.pages')}
            newest={t('runs:live.newest')}
            older={t('runs:live.older')}
            cursor={cursor}
            nextCursor={page.data.next_cursor}
          />
        </>
      )}
    </>
  )
}

function NoAssistants() {
  const { t } = useTranslation(['common', 'assistants'])
  const accounts = useQuery(accountsQuery)
  return (
    <EmptyState
      title={t('assistants:emptyTitle')}
      text={t('assistants:emptyText')}
      actions={
        <>
          <Button component={Link} to={newAssistantPath}>
            {t('assistants:emptyAction')}
          </Button>
          {accounts.data?.length === 0 && (
            <Button component={Link} to={paths.account} variant="default">
              {t('assistants:emptyOther')}
            </Button>
          )}
        </>
      }
    />
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation(['common', 'assistants'])
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const changeDebounced = useDebouncedCallback(onChange, TYPING)
  // the URL was changed by something other than typing, such as clearing the filters
  if (shown !== value) {
    setShown(value)
    setText(value)
  }
  return (
    <TextInput
      className="filter-search"
      type="search"
      aria-label={t('assistants:search')}
      placeholder={t('assistants:search')}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        changeDebounced(event.currentTarget.value)
      }}
    />
  )
}

function useColumns(activation: Activation): Column<AssistantOut>[] {
  const { t } = useTranslation(['common', 'assistants'])
  return [
    {
      key: 'name',
      header: t('assistants:column'),
      card: 'start',
      cell: (assistant) => <NameCell assistant={assistant} />,
    },
    {
      key: 'channels',
      header: t('assistants:columnChannels'),
      card: 'start',
      cell: ({ accounts }) =>
        accounts.length > 0 ? (
          <ChannelIcons channels={accounts.map((account) => account.kind)} size={17} />
        ) : (
          <span className="dim">{t('assistants:noChannels')}</span>
        ),
    },
    {
      key: 'next',
      header: t('assistants:columnNext'),
      card: 'start',
      cell: (assistant) => <NextCell assistant={assistant} />,
    },
    {
      key: 'last',
      header: t('assistants:columnLast'),
      card: 'end',
      cell: ({ open_run, last_run }) => {
        const run = open_run ?? last_run
        return run ? <RunBadge run={run} /> : <StatusBadge status="draft" label={t('assistants:neverRan')} />
      },
    },
    {
      key: 'state',
      header: t('assistants:columnState'),
      card: 'end',
      spare: true, // the switch and the column with the next run already show it
      cell: (assistant) => <AssistantBadge assistant={assistant} />,
    },
    {
      key: 'switch',
      header: t('assistants:columnSwitch'),
      card: 'end',
      cell: (assistant) => (
        <Switch
          size="sm"
          aria-label={t('assistants:switchLabel', { name: nameText(t, assistant) })}
          checked={assistant.active}
          // not disabled while pending, which would lose the focus
          onChange={(event) => activation.busy !== assistant.id && void activation.set(assistant, event.currentTarget.checked)}
        />
      ),
    },
  ]
}

function NameCell({ assistant }: { assistant: AssistantOut }) {
  const { t } = useTranslation(['common', 'assistants'])
  const language = useLanguage()
  return (
    <div className="two-lines">
      <div className="name-tags">
        <Link to={assistantPath(assistant.id)} className="rowlink">
          {nameText(t, assistant)}
        </Link>
        {assistant.tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
      </div>
      <small>{scheduleText(t, assistant.schedule, language) ?? t('assistants:noSchedule')}</small>
    </div>
  )
}

function NextCell({ assistant }: { assistant: AssistantOut }) {
  const { t } = useTranslation(['common', 'assistants', 'errors', 'runs'])
  const format = useFormat()
  const { accounts, active, pause, status, open_run, missing, mode } = assistant
  const now = useNow()
  const prepared = open_run && publishTimeOf(open_run)
  // while paused, only a prepared run can follow
  const slot = pause ? (prepared && millisecondsUntil(prepared, now) > 0 ? prepared : null) : (prepared ?? status.next_slot)
  const state = open_run && stateNow(open_run, now)
  // a run started by hand is postponed to its deadline only while it waits for the decision
  const decideUntil = open_run?.decide_until
  const why = pause?.reason && reasonText(t, pause.reason, contentKindOfAssistant(assistant))
  const facts = [
    decideUntil && t('assistants:decideUntil', { when: format.dayAndTime(decideUntil) }),
    active && !pause && mode !== 'draft' && accounts.some((account) => account.state !== 'connected') && t(`assistants:needsLogin.${contentKindOfAssistant(assistant)}`),
    slot && state === 'ready' && t('runs:live.runState.ready'),
    state === 'publishing' && t('assistants:publishingNow'),
    state === 'preparing' && t('assistants:preparingNow'),
    active && status.pending_change && t('assistants:pending'),
    slot && pause && pauseText(t, format, pause, now, contentKindOfAssistant(assistant)),
    why,
    active && !pause && status.phase === 'planning_failed' && t('runs:live.mood.planning_failed'),
    active && !pause && status.phase === 'finished' && t('assistants:scheduleOver'),
    !active && missing.length > 0 && t('assistants:thingsMissing', { count: missing.length }),
    mode === 'draft' && t('assistants:draftsOnly'),
    active && slot && format.relative(slot),
  ]
  const paused = why ? t('runs:live.mood.paused') : pauseText(t, format, pause, now, contentKindOfAssistant(assistant))
  const plan = pause ? paused : t('assistants:notPlanned')
  return (
    <div className="two-lines num plan-cell">
      {decideUntil && <span className="strong">{t('assistants:whenApproved')}</span>}
      {!decideUntil && active && slot && <span className="strong nowrap">{format.dayAndTime(slot)}</span>}
      {!decideUntil && !(active && slot) && <span className="strong">{plan}</span>}
      <small>{facts.find(Boolean)}</small>
    </div>
  )
}
