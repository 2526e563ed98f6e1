import { momentIn } from './time-zones'

const DAY = /^(19|2\d)\d\d-\d\d-\d\d$/
const ONE_DAY = 86_400_000 // ms

/** Return the day if it exists, such as `2026-11-21`, else null. `Date` turns 31 November into 1 December. */
export const validDay = (day: string): string | null =>
  DAY.test(day) && !Number.isNaN(Date.parse(day)) && dayOf(Date.parse(day)) === day ? day : null

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Return when the day begins in the time zone. */
export const dayStart = (day: string | null, timeZone: string): string | undefined =>
  day === null ? undefined : momentIn(timeZone, day, '00:00')?.toISOString()

/** Return when the next day begins in the time zone. */
export const dayEnd = (day: string | null, timeZone: string): string | undefined =>
  day === null ? undefined : dayStart(dayOf(Date.parse(day) + ONE_DAY), timeZone)
