import { validDay } from '@/lib/day-span'
import { dayIn, instantOf, utcOffset } from '@/lib/time-zones'

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const
export type View = (typeof VIEWS)[number]

const DAY = 86_400_000 // ms
export const AGENDA = 30 // days

/** Days are strings such as `2026-11-21` in the user's time zone, whatever the browser's. */
const noon = (day: string) => new Date(`${day}T12:00Z`)

export const addDays = (day: string, days: number): string =>
  new Date(noon(day).getTime() + days * DAY).toISOString().slice(0, 10)

export const isDay = (text: string): boolean => validDay(text) !== null

/** Return the number of days from one day to another. */
export const daysFrom = (day: string, later: string): number => Math.round((noon(later).getTime() - noon(day).getTime()) / DAY)

/** Return the first day of the week; `weekStart` counts from 0, Sunday. */
const firstOfWeek = (day: string, weekStart: number) => addDays(day, -((noon(day).getUTCDay() - weekStart + 7) % 7))

const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`

const firstOfNextMonth = (day: string) => firstOfMonth(addDays(firstOfMonth(day), 31))

/** Return the days that a view shows, for a month its whole weeks. `end` is exclusive. */
export function shownDays(view: View, day: string, weekStart: number): { first: string; end: string } {
  switch (view) {
    case 'month':
      return {
        first: firstOfWeek(firstOfMonth(day), weekStart),
        end: addDays(firstOfWeek(addDays(firstOfNextMonth(day), -1), weekStart), 7),
      }
    case 'week': {
      const first = firstOfWeek(day, weekStart)
      return { first, end: addDays(first, 7) }
    }
    case 'day':
      return { first: day, end: addDays(day, 1) }
    case 'agenda':
      return { first: day, end: addDays(day, AGENDA) }
  }
}

export function daysOf({ first, end }: { first: string; end: string }): string[] {
  return Array.from({ length: daysFrom(first, end) }, (_, at) => addDays(first, at))
}

/** Return the day that the view shows after a step forwards (1) or backwards (−1). */
export function step(view: View, day: string, direction: 1 | -1): string {
  switch (view) {
    case 'month':
      return direction === 1 ? firstOfNextMonth(day) : firstOfMonth(addDays(firstOfMonth(day), -1))
    case 'week':
      return addDays(day, 7 * direction)
    case 'day':
      return addDays(day, direction)
    case 'agenda':
      return addDays(day, AGENDA * direction)
  }
}

/** Return the heading of a view, such as `November 2026` or `16 – 22 November 2026`. */
export function periodTitle(view: View, { first, end }: { first: string; end: string }, day: string, locale: string): string {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
  if (view === 'month') return format({ month: 'long', year: 'numeric' }).format(noon(day))
  if (view === 'day') return format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(noon(day))
  const both = format({ day: 'numeric', month: 'long', year: 'numeric' }).formatRange(noon(first), noon(addDays(end, -1)))
  // break lines between days, not within one
  return both.replaceAll(/\s(?!–)(?<!–\s)/g, '\u00a0')
}

/** Return when the day begins in the zone. */
export const dayBegins = (day: string, zone: string): Date => instantOf(`${day}T00:00`, zone)

const minutesOf = (offset: string) => {
  const [, sign, hours = '0', minutes = '0'] = /^UTC(?:([+−])(\d+)(?::(\d+))?)?$/.exec(offset) ?? []
  return (sign === '−' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Return by how many minutes the clocks change on the day; mostly 0. */
export function clockChange(day: string, zone: string): number {
  const at = (moment: Date) => minutesOf(utcOffset(zone, moment))
  return at(dayBegins(addDays(day, 1), zone)) - at(dayBegins(day, zone))
}

const QUARTER = 900_000 // ms
/** The time that it takes to write a post. */
const WRITING = 300_000 // ms

/**
 * Return the clicked time if it is in the future. For a whole day, return the next free quarter of an hour of today;
 * else null.
 */
export function freeAt(wall: string, zone: string, now: Date, ofDay: boolean): Date | null {
  const clicked = instantOf(wall, zone)
  if (clicked > now) return clicked
  const left = new Date(Math.ceil((now.getTime() + WRITING) / QUARTER) * QUARTER)
  return ofDay && dayIn(zone, left) === wall.slice(0, 10) ? left : null
}

const MORNING = 7
/** The hours shown above an evening time, which fit any screen. */
const ABOVE = 5

/** Return the first visible hour of a day: the morning, or a later hour so that the given time is visible. */
export function firstHour(wall?: string): string {
  const hour = wall ? Number(wall.slice(11, 13)) : MORNING
  const first = Math.max(Math.min(hour, MORNING), hour - ABOVE)
  return `${String(first).padStart(2, '0')}:00`
}
