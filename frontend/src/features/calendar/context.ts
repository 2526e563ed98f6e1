import { createContext, use } from 'react'
import type { Entry } from './entries'

/** A note on a day. */
export interface DayNote {
  kind: 'leftOut' | 'clocks'
  text: string
  /** The assistants that leave out the day, if others do not. */
  assistantNames?: string
}

interface CalendarActions {
  now: Date
  zone: string
  notes: ReadonlyMap<string, readonly DayNote[]>
  /** The number of entries of a day that were not loaded. */
  more: ReadonlyMap<string, number>
  /** Open an entry that is shown on this page. */
  show: (entry: Entry) => void
  askWhere: (entry: Entry) => void
  /** Move by keyboard, by days and minutes in the user's time zone. */
  shift: (entry: Entry, days: number, minutes: number) => void
  /** Whether the arrow keys up and down move by days. */
  byDays: boolean
  openDay: (day: string) => void
}

export const CalendarContext = createContext<CalendarActions | null>(null)

/** Return the actions, for components that the library renders. */
export function useCalendarActions(): CalendarActions {
  const actions = use(CalendarContext)
  if (!actions) throw new Error('a part of a calendar outside of one')
  return actions
}
