import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconCalendarOff, IconChevronLeft, IconChevronRight, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useEffect, useMemo, useState, type ComponentType, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { EntryStatus, type CalendarOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { NETWORKS } from '@/components/channel'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { lazyPart } from '@/components/lazy-part'
import { NoMatch } from '@/components/no-match'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { StatusIcon, statusStyle, type Status } from '@/components/status'
import { languageFacts } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useTimeZone } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { dayIn } from '@/lib/time-zones'
import { validId, useUrlFilters } from '@/lib/url-filters'
import { composePath, NEW_POST } from '@/lib/compose-path'
import { keepFocus } from '@/lib/keep-focus'
import { Agenda } from './agenda'
import { useCalendar } from './api'
import { BigCalendar, weekStartOf } from './big-calendar'
import { NoteList, useNotes } from './calendar-notes'
import { CalendarContext } from './context'
import { beyond, canUnskip, entriesOf, hourOf, isSeveral, lanesIn, numberOf, withoutDense, type Entry } from './entries'
import { Filters, HIDDEN, narrowing, NO_FILTERS, STATUSES } from './filters'
import { dayBegins, daysOf, freeAt, isDay, periodTitle, shownDays, step, VIEWS, type View } from './period'
import { Subscribe } from './subscribe'
import { useEntryMoves } from './use-entry-moves'

const PHONE = '(max-width: 47.99em)'
const MINUTE = 60_000 // ms
const LEGEND: Status[] = ['draft', 'waiting', 'complete', 'publishing', 'retrying', 'published', 'partly', 'held', 'unknown', 'failed', 'missed', 'skipped']
const FilterDrawer = lazyPart(async () => (await import('./filter-drawer')).CalendarFilterDrawer)
const HourDrawer = lazyPart(async () => (await import('./hour-drawer')).HourDrawer)
const SlotDrawer = lazyPart(async () => (await import('./slot-drawer')).SlotDrawer)
const MoveDialog = lazyPart(async () => (await import('./move-dialog')).MoveDialog)

/** Return the current time once a minute, so that the calendar is not drawn each second. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Return the period, the view and the filters, which are in the address. */
function useShownPeriod(zone: string, now: Date) {
  const language = useLanguage()
  const { filter, change } = useUrlFilters()
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const usual: View = phone ? 'agenda' : 'month'
  const view = VIEWS.find((option) => option === filter('view')) ?? usual
  const today = dayIn(zone, now)
  const day = isDay(filter('date')) ? filter('date') : today
  const status = STATUSES.find((option) => option === filter('status')) ?? null
  const channel = NETWORKS.find((option) => option === filter('channel')) ?? null
  const assistant = validId(filter('assistant'))
  const planned = filter('planned') !== HIDDEN
  const days = shownDays(view, day, weekStartOf(language))
  const statuses = status ? [status] : planned ? undefined : STATUSES.filter((option) => option !== EntryStatus.PLANNED)
  return {
    view,
    day,
    today,
    days,
    status,
    channel,
    assistant,
    planned,
    /** The id of the entry that is open beside the calendar. */
    opened: filter('entry'),
    phone: phone ?? false,
    filtered: narrowing({ status, channel, assistant, planned }) > 0,
    query: {
      from: dayBegins(days.first, zone).toISOString(),
      to: dayBegins(days.end, zone).toISOString(),
      ...(statuses && { status: statuses }),
      ...(assistant && { assistant_id: assistant }),
      ...(channel && { channel }),
    },
    change,
    clear: () => change(NO_FILTERS),
  }
}

type ShownPeriod = ReturnType<typeof useShownPeriod>

/** Shows a post beside the calendar. `postId` is null while the drawer is closed. */
export interface PostDrawerProps {
  opened: boolean
  postId: string | null
  /** On a phone, the drawer takes the whole screen. */
  phone: boolean
  onClose: () => void
}

interface CalendarViewProps {
  PostDrawer: ComponentType<PostDrawerProps>
}

/** The calendar of posts and slots, by month, week or day, or as an agenda. */
export function CalendarView({ PostDrawer }: CalendarViewProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const zone = useTimeZone()
  const now = useMinute()
  const { locale } = languageFacts(useLanguage())
  const shown = useShownPeriod(zone, now)
  const calendar = useCalendar(shown.query)
  return (
    <div className="calpage">
      <PageHeader
        title={periodTitle(shown.view, shown.days, shown.day, locale)}
        tab={t('calendar:title')}
        actions={
          <>
            <Subscribe />
            <Button component={Link} to={composePath()} leftSection={<IconPlus size={15} aria-hidden />}>
              {t('calendar:newPost')}
            </Button>
          </>
        }
      />
      <Bar shown={shown} total={calendar.data ? numberOf(calendar.data) : 0} />
      {calendar.isPending ? (
        <RowSkeletons rows={8} />
      ) : !calendar.data ? (
        <Failure title={t('calendar:listFailed')} problem={calendar.error} onRetry={() => void calendar.refetch()} />
      ) : (
        <Body calendar={calendar.data} shown={shown} zone={zone} now={now} stale={calendar.isPlaceholderData} PostDrawer={PostDrawer} />
      )}
    </div>
  )
}

interface BarProps {
  shown: ShownPeriod
  /** How many entries are found. */
  total: number
}

/** The navigation, the view and the filters. On a phone, the filters are in a drawer. */
function Bar({ shown, total }: BarProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const { view, day, today, phone, change } = shown
  const [open, setOpen] = useState(false)
  const filtered = narrowing(shown)
  return (
    <div className="filters calbar">
      <div className="calnav">
        <ActionIcon variant="default" size={32} aria-label={t(`calendar:previous.${view}`)} onClick={() => change({ date: step(view, day, -1) })}>
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon variant="default" size={32} aria-label={t(`calendar:next.${view}`)} onClick={() => change({ date: step(view, day, 1) })}>
          <IconChevronRight size={16} />
        </ActionIcon>
        <Button variant="default" size="xs" h={32} disabled={day === today} onClick={() => change({ date: null })}>
          {t('calendar:today')}
        </Button>
      </div>
      {phone && (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            {filtered > 0 ? t('calendar:filtersSet', { count: filtered }) : t('calendar:filters')}
          </Button>
          <FilterDrawer opened={open} onClose={() => setOpen(false)} filters={shown} total={total} change={change} />
        </>
      )}
      <SegmentedControl
        size="xs"
        aria-label={t('calendar:view')}
        value={view}
        data={VIEWS.map((value) => ({ value, label: t(`calendar:views.${value}`) }))}
        onChange={(value) => change({ view: value })}
      />
      {!phone && (
        <>
          <span className="grow" />
          <Filters filters={shown} change={change} />
        </>
      )}
    </div>
  )
}

interface BodyProps extends CalendarViewProps {
  calendar: CalendarOut
  shown: ShownPeriod
  zone: string
  now: Date
  /** The entries are those of the period before, until the new ones are loaded. */
  stale: boolean
}

function Body({ calendar, shown, zone, now, stale, PostDrawer }: BodyProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const navigate = useNavigate()
  const { view, day, days, phone, change, filtered, clear } = shown
  const [hour, setHour] = useState<string | null>(null)
  const [moveEntry, setMoveEntry] = useState<Entry | null>(null)
  const all = useMemo(() => entriesOf(calendar, zone, t('calendar:noText')), [calendar, zone, t])
  // a month and the agenda show dense entries behind '+3 more'
  const entries = useMemo(() => (view === 'month' || view === 'agenda' ? all : withoutDense(all, lanesIn(view, phone))), [all, view, phone])
  const ofHour = useMemo(() => {
    const ofHour = all.filter((entry) => hourOf(entry) === hour)
    return withoutDense(ofHour).toSorted((a, b) => a.start.getTime() - b.start.getTime())
  }, [all, hour])
  const notes = useNotes(calendar, days, zone)
  const more = useMemo(() => new Map(calendar.more.map(({ day: of, count }) => [of, count])), [calendar.more])
  const { move, shift, drop, unlessFixed } = useEntryMoves(entries, zone)

  const actions = {
    now,
    zone,
    notes,
    more,
    show: (entry: Entry) => {
      setHour(isSeveral(entry) ? hourOf(entry) : null)
      if (!isSeveral(entry)) change({ entry: entry.id }, { replace: false })
    },
    askWhere: (entry: Entry) => unlessFixed(entry, () => setMoveEntry(entry)),
    shift,
    byDays: view === 'month',
    openDay: (of: string) => change({ view: 'day', date: of }, { replace: false }),
  }
  const onFree = (wall: string) => {
    const at = freeAt(wall, zone, now, view === 'month')
    if (at) void navigate(composePath(NEW_POST, at))
  }
  const opened = all.find(({ id }) => id === shown.opened) ?? null
  const slot = opened && (opened.kind === 'planned' || canUnskip(opened, now)) ? opened : null
  // a link may lead to a post of another period
  const postId = opened ? (opened.kind === 'post' ? opened.id : null) : shown.opened && validId(shown.opened)
  const close = () => {
    const id = shown.opened
    change({ entry: null })
    // the entry may have been drawn again since, or a link opened it
    keepFocus(() => document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`))
  }
  const empty = entries.length === 0 && !stale
  const weeks = Math.ceil(daysOf(days).length / 7)
  return (
    <CalendarContext value={actions}>
      {/* a month shows the first of each day anyway, and says how many more there are */}
      {more.size > 0 && view !== 'month' && (
        <Banner tone="info" title={t('calendar:cutTitle', { count: beyond(calendar.more) })}>
          {t(view === 'day' ? 'calendar:cutDay' : 'calendar:cut')}
        </Banner>
      )}
      {(view === 'day' || view === 'agenda') && <NoteList days={daysOf(days)} notes={notes} dated={view === 'agenda'} />}
      {empty && filtered && <NoMatch text={t('calendar:noMatch')} onClear={clear} />}
      {empty && view === 'agenda' ? (
        !filtered && <EmptyAgenda />
      ) : (
        <div className="cal" data-view={view} data-weeks={weeks} aria-busy={stale || undefined} style={{ '--weeks': weeks } as CSSProperties}>
          {view === 'agenda' ? (
            <Agenda entries={entries} />
          ) : (
            <BigCalendar entries={entries} view={view} day={day} onDrop={drop} onFree={onFree} />
          )}
        </div>
      )}
      {empty && !filtered && view !== 'agenda' && (
        <p className="fine-print" role="status">
          {t('calendar:nothing')}
        </p>
      )}
      {/* the agenda has the words themselves */}
      {view !== 'agenda' && <Legend leavesOut={[...notes.values()].flat().some(({ kind }) => kind === 'leftOut')} />}
      <HourDrawer opened={hour !== null && ofHour.length > 0} entries={ofHour} onClose={() => setHour(null)} />
      <SlotDrawer opened={slot !== null} entry={slot} onClose={close} />
      <PostDrawer opened={Boolean(postId)} postId={postId || null} phone={phone} onClose={close} />
      <MoveDialog opened={moveEntry !== null} entry={moveEntry} now={now} zone={zone} onMove={move} onClose={() => setMoveEntry(null)} />
    </CalendarContext>
  )
}

/** The agenda without any entry. */
function EmptyAgenda() {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <EmptyState
      title={t('calendar:emptyTitle')}
      text={t('calendar:emptyText')}
      actions={
        <Button component={Link} to={paths.assistants}>
          {t('calendar:toAssistants')}
        </Button>
      }
    />
  )
}

/** `leavesOut`: a schedule leaves out some of the days. */
function Legend({ leavesOut }: { leavesOut: boolean }) {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <div className="callegend" role="group" aria-label={t('calendar:legend')}>
      {LEGEND.map((status) => (
        <span key={status} style={statusStyle(status)}>
          <b>
            <StatusIcon status={status} size={12} />
          </b>
          {t(`status.${status}`)}
        </span>
      ))}
      <span>
        <b className="various-b">
          <IconStack2 size={12} stroke={2.2} aria-hidden />
        </b>
        {t('calendar:various')}
      </span>
      <span>
        <b className="ghost-b" />
        {t('calendar:slotOfAssistant')}
      </span>
      {leavesOut && (
        <span>
          <IconCalendarOff size={14} aria-hidden />
          {t('calendar:leftOutSign')}
        </span>
      )}
    </div>
  )
}
