import { createContext, use } from 'react'
import type { Entry } from './entries'

/** What is to be known of a day beside its entries. */
export interface DayNote {
  kind: 'leftOut' | 'clocks'
  text: string
  /** Who leaves out the day, where others do not. */
  assistantNames?: string
}

interface CalendarActions {
  now: Date
  zone: string
  notes: ReadonlyMap<string, readonly DayNote[]>
  /** How many entries of a day were not read with the others. */
  more: ReadonlyMap<string, number>
  /** Opens what is shown on this page. */
  show: (entry: Entry) => void
  askWhere: (entry: Entry) => void
  /** By a key: so many days and minutes, on the clocks of the user's zone. */
  shift: (entry: Entry, days: number, minutes: number) => void
  /** So many days are one step up or down. */
  byDays: boolean
  openDay: (day: string) => void
}

export const CalendarContext = createContext<CalendarActions | null>(null)

/** For the parts that the calendar itself draws. */
export function useCalendarActions(): CalendarActions {
  const actions = use(CalendarContext)
  if (!actions) throw new Error('a part of a calendar outside of one')
  return actions
}
