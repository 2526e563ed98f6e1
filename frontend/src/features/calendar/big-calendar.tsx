import dayjs from 'dayjs'
import { IconCalendarOff, IconSunset2 } from '@tabler/icons-react'
import { cloneElement, useEffect, useMemo, type ComponentType, type ReactElement, type ReactNode } from 'react'
import { Calendar, type CalendarProps, type DateHeaderProps, type EventWrapperProps, type HeaderProps } from 'react-big-calendar'
import addon, { type EventInteractionArgs, type withDragAndDropProps } from 'react-big-calendar/lib/addons/dragAndDrop'
import draggedWrapper from 'react-big-calendar/lib/addons/dragAndDrop/EventWrapper'
import 'react-big-calendar/lib/addons/dragAndDrop/styles.css'
import 'react-big-calendar/lib/css/react-big-calendar.css'
import { useTranslation } from 'react-i18next'
import { languageFacts, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import './calendar.css'
import { useCalendarActions } from './context'
import { asDrawn, canMove, fromWall, numberIn, toWall, type Entry } from './entries'
import { firstHour, VIEWS, type View } from './period'
import { MoreOf, MoreWords, useMore } from './more'
import { Tile, useTip } from './tile'
import { wallClockLocalizer, wallDayjs } from './wall-clock-localizer'

/** The addon is CommonJS: in the build it comes as the module, in tests as what that exports. */
function exported<Value>(addonModule: Value): Value {
  return (addonModule as { default?: Value }).default ?? addonModule
}

const withDragAndDrop = exported(addon)
const Dragged = exported(draggedWrapper) as ComponentType<BoxProps>
const Draggable = withDragAndDrop(Calendar as ComponentType<CalendarProps<Entry>>) as ComponentType<
  CalendarProps<Entry> & withDragAndDropProps<Entry>
>

/** With which day a week begins, 0 is Sunday. */
export const weekStartOf = (language: Language): number => dayjs.Ls[languageFacts(language).calendar]?.weekStart ?? 0

/** The agenda is a list of our own. */
export type GridView = Exclude<View, 'agenda'>

interface BigCalendarProps {
  entries: Entry[]
  view: GridView
  day: string
  onDrop: (entry: Entry, wall: string) => void
  /** A free place was chosen. */
  onFree: (wall: string) => void
}

const MORNING = '09:00'
const GRID_VIEWS = VIEWS.filter((view): view is GridView => view !== 'agenda')

/** The calendar itself: it draws wall clocks, and knows nothing of zones. */
export function BigCalendar({ entries, view, day, onDrop, onFree }: BigCalendarProps) {
  const { now, zone, openDay } = useCalendarActions()
  const { calendar: culture, shortDay } = languageFacts(useLanguage())
  const localizer = useMemo(() => {
    // what a week begins with, it asks of dayjs as a whole
    dayjs.locale(culture)
    return wallClockLocalizer()
  }, [culture])
  const formats = useMemo(() => ({ ...FORMATS, dayFormat: shortDay }), [shortDay])
  // what is going on today is in sight, and of another day alone its first entry
  const drawnNow = toWall(asDrawn(now, zone))
  const walls = entries.map(({ start }) => toWall(start)).filter((wall) => wall.startsWith(day))
  const begins = firstHour(drawnNow.startsWith(day) ? drawnNow : view === 'day' ? walls.sort()[0] : undefined)
  // of a week that is wider than its page, today is in sight at first, from its beginning; of another week the first day
  useEffect(() => {
    const days = view === 'week' ? document.querySelector<HTMLElement>('.cal .rbc-time-content') : null
    const today = days?.querySelector<HTMLElement>('.rbc-day-slot.rbc-today')
    const clock = days?.querySelector<HTMLElement>('.rbc-time-gutter')?.offsetWidth ?? 0
    if (!days) return
    const spareWidth = days.clientWidth - clock - (today?.offsetWidth ?? 0)
    days.scrollLeft = today ? today.offsetLeft - clock - Math.max(0, spareWidth / 2) : 0
    const heads = document.querySelector<HTMLElement>('.cal .rbc-time-header')
    const corner = heads?.querySelector('.rbc-time-header-gutter')
    if (!heads || !corner) return
    // the library widens the corner above the hours after that: until then the heads cannot go as far as the days
    const widened = new ResizeObserver(() => (heads.scrollLeft = days.scrollLeft))
    widened.observe(corner)
    return () => widened.disconnect()
  }, [view, day])
  const drop = ({ event: entry, start, isAllDay }: EventInteractionArgs<Entry>) => {
    const wall = toWall(new Date(start))
    const entryWall = toWall(entry.start)
    // on a day as a whole it keeps its time
    onDrop(entry, view === 'month' || isAllDay ? wall.slice(0, 11) + entryWall.slice(11) : wall)
  }
  return (
    <Draggable
      localizer={localizer}
      culture={culture}
      events={entries}
      view={view}
      views={GRID_VIEWS}
      date={fromWall(`${day}T00:00`)}
      getNow={() => asDrawn(now, zone)}
      toolbar={false}
      step={15}
      timeslots={4}
      scrollToTime={fromWall(`${day}T${begins}`)}
      dayLayoutAlgorithm="no-overlap"
      selectable
      resizable={false}
      draggableAccessor={canMove}
      onEventDrop={drop}
      onSelectSlot={({ start, action }) => {
        if (action === 'doubleClick') return
        const wall = toWall(start)
        onFree(view === 'month' ? wall.slice(0, 11) + MORNING : wall)
      }}
      onDrillDown={(date) => openDay(toWall(date).slice(0, 10))}
      onNavigate={noOp}
      onView={noOp}
      tooltipAccessor={noTip}
      components={COMPONENTS}
      formats={formats}
    />
  )
}

/** View and day come from the address, which the page changes. */
const noOp = () => undefined

const FORMATS = {
  dateFormat: 'D',
  weekdayFormat: 'ddd',
  timeGutterFormat: 'HH:mm',
  selectRangeFormat: () => '',
  eventTimeRangeFormat: () => '',
  eventTimeRangeStartFormat: () => '',
  eventTimeRangeEndFormat: () => '',
} satisfies CalendarProps<Entry>['formats']

/** What hangs over an entry is put there by its box. */
const noTip = () => ''

/** In a month, whose weeks are rows of a table. */
const Cell = (props: BoxProps) => <Box {...props} role="cell" />

type BoxProps = EventWrapperProps<Entry> & { children?: ReactNode; role?: string }

/** The drawn box is no button: what it holds is a link or one. */
function Box({ children, role, ...props }: BoxProps): ReactNode {
  const tip = useTip()
  const drawn = children as ReactElement<{ role?: string; tabIndex?: number; title?: string }>
  return <Dragged {...props}>{cloneElement(drawn, { role, tabIndex: undefined, title: tip(props.event) })}</Dragged>
}

/** Those of a day that its place in the month does not hold. */
function More({ slotDate, remainingEvents }: { slotDate: Date; remainingEvents: Entry[] }) {
  return (
    <div role="cell">
      <MoreOf day={toWall(slotDate).slice(0, 10)} drawn={numberIn(remainingEvents)} />
    </div>
  )
}

function Notes({ date }: { date: Date }) {
  const { t } = useTranslation(['common', 'calendar'])
  const { notes } = useCalendarActions()
  return notes.get(toWall(date).slice(0, 10))?.map(({ kind, text, assistantNames }) => (
    <span key={text} className="cal-note" data-kind={kind} title={text}>
      {kind === 'clocks' ? <IconSunset2 size={13} aria-hidden /> : <IconCalendarOff size={13} aria-hidden />}
      <span className="cal-note-word" aria-hidden>
        {assistantNames ?? t(kind === 'clocks' ? 'calendar:clockShort' : 'calendar:leftOutShort')}
      </span>
      <span className="vh">{text}</span>
    </span>
  ))
}

function useIsLeftOut(date: Date): boolean | undefined {
  const { notes } = useCalendarActions()
  return notes.get(toWall(date).slice(0, 10))?.some(({ kind, assistantNames }) => kind === 'leftOut' && !assistantNames) || undefined
}

function DateHeader({ date, label, onDrillDown }: DateHeaderProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const { calendar, longDay } = languageFacts(useLanguage())
  const name = t('calendar:openDay', { day: wallDayjs(date).locale(calendar).format(longDay) })
  return (
    <>
      <button type="button" className="rbc-button-link" aria-label={name} data-left-out={useIsLeftOut(date)} onClick={onDrillDown}>
        {label}
      </button>
      <Notes date={date} />
    </>
  )
}

/** The library makes it a button that opens the day. */
function DayHeader({ date, label }: HeaderProps) {
  const more = useMore(toWall(date).slice(0, 10))
  return (
    <>
      <span data-left-out={useIsLeftOut(date)}>{label}</span>
      <Notes date={date} />
      {more > 0 && (
        <span className="cal-header-more">
          <MoreWords count={more} />
        </span>
      )}
    </>
  )
}

/** The boxes of each view: one for all views would be put into a new component at each drawing, and every entry with it. */
const COMPONENTS = {
  event: Tile,
  // what the library takes for each view and its types do not tell
  month: { dateHeader: DateHeader, ...{ eventWrapper: Cell, showMore: More } },
  week: { header: DayHeader, ...{ eventWrapper: Box } },
  day: { event: Tile, ...{ eventWrapper: Box } },
} satisfies CalendarProps<Entry>['components']
