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

/** Return what a CommonJS module exports: the build imports the module itself, tests its export. */
function exported<Value>(addonModule: Value): Value {
  return (addonModule as { default?: Value }).default ?? addonModule
}

const withDragAndDrop = exported(addon)
const Dragged = exported(draggedWrapper) as ComponentType<BoxProps>
const Draggable = withDragAndDrop(Calendar as ComponentType<CalendarProps<Entry>>) as ComponentType<
  CalendarProps<Entry> & withDragAndDropProps<Entry>
>

/** Return the first day of the week; 0 is Sunday. */
export const weekStartOf = (language: Language): number => dayjs.Ls[languageFacts(language).calendar]?.weekStart ?? 0

/** The views of the library; the agenda is our own list. */
export type GridView = Exclude<View, 'agenda'>

interface BigCalendarProps {
  entries: Entry[]
  view: GridView
  day: string
  onDrop: (entry: Entry, wall: string) => void
  /** Called when an empty slot is clicked. */
  onFree: (wall: string) => void
}

const MORNING = '09:00'
const GRID_VIEWS = VIEWS.filter((view): view is GridView => view !== 'agenda')

/** The calendar grid. It renders local times and knows no time zones. */
export function BigCalendar({ entries, view, day, onDrop, onFree }: BigCalendarProps) {
  const { now, zone, openDay } = useCalendarActions()
  const { calendar: culture, shortDay } = languageFacts(useLanguage())
  const localizer = useMemo(() => {
    // the library takes the first day of the week from dayjs's global locale
    dayjs.locale(culture)
    return wallClockLocalizer()
  }, [culture])
  const formats = useMemo(() => ({ ...FORMATS, dayFormat: shortDay }), [shortDay])
  // scroll to the current time; on another day, to its first entry
  const drawnNow = toWall(asDrawn(now, zone))
  const walls = entries.map(({ start }) => toWall(start)).filter((wall) => wall.startsWith(day))
  const begins = firstHour(drawnNow.startsWith(day) ? drawnNow : view === 'day' ? walls.sort()[0] : undefined)
  // if a week is wider than the page, scroll to today, or to the first day
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
    // the library widens the corner above the hours later; until then the headers can't scroll as far as the days
    const widened = new ResizeObserver(() => (heads.scrollLeft = days.scrollLeft))
    widened.observe(corner)
    return () => widened.disconnect()
  }, [view, day])
  const drop = ({ event: entry, start, isAllDay }: EventInteractionArgs<Entry>) => {
    const wall = toWall(new Date(start))
    const entryWall = toWall(entry.start)
    // dropped on a whole day it keeps its time
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

/** The URL sets view and day, so the library's own navigation is ignored. */
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

/** The entry's box has the tooltip. */
const noTip = () => ''

/** The box of a month's day, inside a table row. */
const Cell = (props: BoxProps) => <Box {...props} role="cell" />

type BoxProps = EventWrapperProps<Entry> & { children?: ReactNode; role?: string }

/** The box of an entry. It is no button, because it contains a link or button. */
function Box({ children, role, ...props }: BoxProps): ReactNode {
  const tip = useTip()
  const drawn = children as ReactElement<{ role?: string; tabIndex?: number; title?: string }>
  return <Dragged {...props}>{cloneElement(drawn, { role, tabIndex: undefined, title: tip(props.event) })}</Dragged>
}

/** The link to the entries of a day that do not fit in the month. */
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

/** The header of a day, which the library renders as a button that opens the day. */
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

/** The components of each view. A shared object would remount every entry on each render. */
const COMPONENTS = {
  event: Tile,
  // the library accepts components per view, but its types do not say so
  month: { dateHeader: DateHeader, ...{ eventWrapper: Cell, showMore: More } },
  week: { header: DayHeader, ...{ eventWrapper: Box } },
  day: { event: Tile, ...{ eventWrapper: Box } },
} satisfies CalendarProps<Entry>['components']
