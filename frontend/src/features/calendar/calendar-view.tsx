import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconAdjustmentsHorizontal, IconCalendarOff, IconChevronLeft, IconChevronRight, IconPlus, IconStack2, IconSunset2 } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState, type ComponentType, type CSSProperties } from 'react'
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
import { useProblemText } from '@/components/use-problem-text'
import { languageFacts } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { dayIn, instantOf, wallTime } from '@/lib/time-zones'
import { validId, useUrlFilters } from '@/lib/url-filters'
import { composePath, NEW_POST } from '@/lib/compose-path'
import { keepFocus } from '@/lib/keep-focus'
import { Agenda } from './agenda'
import { useCalendar } from './api'
import { BigCalendar, weekStartOf } from './big-calendar'
import { CalendarContext, type DayNote } from './context'
import { askedOf, beyond, canMove, canUnskip, entriesOf, hourOf, isSeveral, lanesIn, numberOf, toWall, withoutDense, type Entry } from './entries'
import { Filters, HIDDEN, narrowing, NO_FILTERS, STATUSES } from './filters'
import { addDays, clockChange, dayBegins, daysOf, freeAt, isDay, periodTitle, shownDays, step, VIEWS, type View } from './period'
import { Subscribe } from './subscribe'
import { useMoving } from './use-moving'

const PHONE = '(max-width: 47.99em)'
const MINUTE = 60_000 // ms
const LEGEND: Status[] = ['draft', 'waiting', 'complete', 'publishing', 'retrying', 'published', 'held', 'unknown', 'failed', 'missed', 'skipped']
const FilterDrawer = lazyPart(async () => (await import('./filter-drawer')).CalendarFilterDrawer)
const HourDrawer = lazyPart(async () => (await import('./hour-drawer')).HourDrawer)
const SlotDrawer = lazyPart(async () => (await import('./slot-drawer')).SlotDrawer)
const MoveDialog = lazyPart(async () => (await import('./move-dialog')).MoveDialog)

/** The current minute: often enough for what is past, and the calendar is not drawn anew each second. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Period, view and filters, all in the address. */
function useShown(zone: string, now: Date) {
  const language = useLanguage()
  const { filter, change } = useUrlFilters()
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const usual: View = phone ? 'agenda' : 'month'
  const view = VIEWS.find((known) => known === filter('view')) ?? usual
  const today = dayIn(zone, now)
  const day = isDay(filter('date')) ? filter('date') : today
  const status = STATUSES.find((known) => known === filter('status')) ?? null
  const channel = NETWORKS.find((known) => known === filter('channel')) ?? null
  const assistant = validId(filter('assistant'))
  const planned = filter('planned') !== HIDDEN
  const days = shownDays(view, day, weekStartOf(language))
  const statuses = status ? [status] : planned ? undefined : STATUSES.filter((one) => one !== EntryStatus.PLANNED)
  return {
    view,
    day,
    today,
    days,
    status,
    channel,
    assistant,
    planned,
    /** What is open beside the calendar. */
    opened: filter('entry'),
    phone: phone ?? false,
    filtered: narrowing({ status, channel, assistant, planned }) > 0,
    asked: {
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

type Shown = ReturnType<typeof useShown>

/** A post beside the calendar; null where it is closed. */
export interface PostDrawerProps {
  opened: boolean
  postId: string | null
  /** It takes the whole screen. */
  phone: boolean
  onClose: () => void
}

interface CalendarViewProps {
  PostDrawer: ComponentType<PostDrawerProps>
}

/** Everything that has a time, by month, week, day or one after the other. */
export function CalendarView({ PostDrawer }: CalendarViewProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const zone = useTimeZone()
  const now = useMinute()
  const { locale } = languageFacts(useLanguage())
  const shown = useShown(zone, now)
  const calendar = useCalendar(shown.asked)
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
        <Body found={calendar.data} shown={shown} zone={zone} now={now} stale={calendar.isPlaceholderData} PostDrawer={PostDrawer} />
      )}
    </div>
  )
}

interface BarProps {
  shown: Shown
  /** How many entries are found. */
  total: number
}

/** Where and how one looks; what is shown of it is in a drawer where that would take four rows. */
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
  found: CalendarOut
  shown: Shown
  zone: string
  now: Date
  /** Of the period before, until the new one is there. */
  stale: boolean
}

function Body({ found, shown, zone, now, stale, PostDrawer }: BodyProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const navigate = useNavigate()
  const problemText = useProblemText()
  const moving = useMoving()
  const { view, day, days, phone, change, filtered, clear } = shown
  const [hour, setHour] = useState<string | null>(null)
  const [asked, setAsked] = useState<Entry | null>(null)
  const all = useMemo(() => entriesOf(found, zone, t('calendar:noText')), [found, zone, t])
  // in a month and the agenda they are behind '+3 more'
  const entries = useMemo(() => (view === 'month' || view === 'agenda' ? all : withoutDense(all, lanesIn(view, phone))), [all, view, phone])
  const ofHour = useMemo(() => {
    const found = all.filter((entry) => hourOf(entry) === hour)
    return withoutDense(found).toSorted((one, other) => one.start.getTime() - other.start.getTime())
  }, [all, hour])
  const notes = useNotes(found, days, zone)
  const more = useMemo(() => new Map(found.more.map(({ day: of, count }) => [of, count])), [found.more])
  const focusOn = useFocusAfter(entries)

  const move = (entry: Entry, to: Date) => {
    // an earlier move may have been answered while the dialog was open
    const current = entries.find(({ id }) => id === entry.id) ?? entry
    if (current.kind !== 'post') return
    focusOn(current.id)
    void moving({ id: current.id, at: current.at, version: current.post.version, atOnce: askedOf(current)?.at_once }, to)
  }
  const unlessFixed = (entry: Entry, act: () => void) => {
    if (entry.kind === 'post' && entry.post.fixed !== null) {
      const reason = problemText({ code: entry.post.fixed, params: {} })
      notifications.show({ color: 'red', message: t('calendar:fixed', { reason }) })
    } else act()
  }
  const shift = (entry: Entry, byDays: number, minutes: number) =>
    unlessFixed(entry, () => {
      const wall = wallTime(new Date(entry.at), zone)
      // by days on the clock: over a change of it the time stays
      move(
        entry,
        minutes ? new Date(Date.parse(entry.at) + minutes * MINUTE) : instantOf(addDays(wall.slice(0, 10), byDays) + wall.slice(10), zone),
      )
    })
  const actions = {
    now,
    zone,
    notes,
    more,
    show: (entry: Entry) => {
      setHour(isSeveral(entry) ? hourOf(entry) : null)
      if (!isSeveral(entry)) change({ entry: entry.id }, { replace: false })
    },
    askWhere: (entry: Entry) => unlessFixed(entry, () => setAsked(entry)),
    shift,
    byDays: view === 'month',
    openDay: (of: string) => change({ view: 'day', date: of }, { replace: false }),
  }
  const onDrop = (entry: Entry, wall: string) => {
    if (!canMove(entry)) return
    // where the browser's own zone leaves an hour out, it is drawn beside its time
    const own = wallTime(new Date(entry.at), zone)
    const dropped = wall.slice(11) === toWall(entry.start).slice(11) ? wall.slice(0, 11) + own.slice(11) : wall
    // an hour that comes twice has the same name twice
    if (dropped !== own) move(entry, instantOf(dropped, zone))
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
    // it may have been drawn anew since, or was opened by a link
    keepFocus(() => document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`))
  }
  const empty = entries.length === 0 && !stale
  const weeks = Math.ceil(daysOf(days).length / 7)
  return (
    <CalendarContext value={actions}>
      {/* a month shows the first of each day anyway, and says how many more there are */}
      {more.size > 0 && view !== 'month' && (
        <Banner tone="info" title={t('calendar:cutTitle', { count: beyond(found.more) })}>
          {t(view === 'day' ? 'calendar:cutDay' : 'calendar:cut')}
        </Banner>
      )}
      {(view === 'day' || view === 'agenda') && <NoteList days={daysOf(days)} notes={notes} dated={view === 'agenda'} />}
      {empty && filtered && <NoMatch text={t('calendar:noMatch')} onClear={clear} />}
      {empty && view === 'agenda' ? (
        !filtered && <Nothing />
      ) : (
        <div className="cal" data-view={view} data-weeks={weeks} aria-busy={stale || undefined} style={{ '--weeks': weeks } as CSSProperties}>
          {view === 'agenda' ? (
            <Agenda entries={entries} />
          ) : (
            <BigCalendar entries={entries} view={view} day={day} onDrop={onDrop} onFree={onFree} />
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
      <MoveDialog opened={asked !== null} entry={asked} now={now} zone={zone} onMove={move} onClose={() => setAsked(null)} />
    </CalendarContext>
  )
}

function Nothing() {
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

/** Days that schedules leave out, and days on which clocks change. */
function useNotes(found: CalendarOut, { first, end }: { first: string; end: string }, zone: string): ReadonlyMap<string, DayNote[]> {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  return useMemo(() => {
    const notes = new Map<string, DayNote[]>()
    const add = (day: string, note: DayNote) => notes.set(day, [...(notes.get(day) ?? []), note])
    const dayOf = (at: string) => wallTime(new Date(at), zone).slice(0, 10)
    const busy = new Set([...found.posts.map((post) => dayOf(post.planned_at)), ...found.planned.map(({ slot }) => dayOf(slot))])
    for (const { day, holiday, assistant_names } of found.left_out) {
      const assistants = format.list(assistant_names)
      const text = holiday ? t('calendar:leftOutFor', { assistants, holiday }) : t('calendar:leftOut', { assistants })
      add(day, { kind: 'leftOut', text, alone: busy.has(day) ? assistants : undefined })
    }
    for (const day of daysOf({ first, end })) {
      const minutes = clockChange(day, zone)
      if (minutes !== 0) add(day, { kind: 'clocks', text: t('calendar:clockChange', { minutes: Math.abs(minutes) }) })
    }
    return notes
  }, [found.left_out, found.posts, found.planned, first, end, zone, t, format])
}

function NoteList({ days, notes, dated }: { days: string[]; notes: ReadonlyMap<string, readonly DayNote[]>; dated: boolean }) {
  const format = useFormat()
  const zone = useTimeZone()
  // several days of which the same is so are told of once
  const told = new Map<string, { kind: DayNote['kind']; days: string[] }>()
  for (const day of days)
    for (const { kind, text } of notes.get(day) ?? []) told.set(text, { kind, days: [...(told.get(text)?.days ?? []), day] })
  if (told.size === 0) return null
  return (
    <ul className="cal-notes">
      {[...told].map(([text, { kind, days }]) => (
        <li key={text} className="cal-note" data-kind={kind}>
          {kind === 'clocks' ? <IconSunset2 size={14} aria-hidden /> : <IconCalendarOff size={14} aria-hidden />}
          {dated && <strong>{format.list(days.map((day) => format.day(instantOf(`${day}T12:00`, zone))))}:</strong>} {text}
        </li>
      ))}
    </ul>
  )
}

/** What a key has moved is drawn elsewhere anew: it gets the focus back. */
function useFocusAfter(entries: Entry[]): (id: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    const found = document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(wanted.current)}"]`)
    if (found && (document.activeElement === document.body || document.activeElement === null)) found.focus()
  }, [entries])
  return (id) => {
    wanted.current = id
  }
}

/** `leavesOut`: some day is left out by somebody. */
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
