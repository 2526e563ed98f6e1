import { momentIn } from './time-zones'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const ONE_DAY = 86_400_000 // ms

/** A day of a calendar, as an address has it: `2026-11-21`. */
export const dayOrNone = (said: string): string | null => (DAY.test(said) && !Number.isNaN(Date.parse(said)) ? said : null)

/** When it begins on the clocks there. */
export const beginOf = (day: string | null, timeZone: string): string | undefined =>
  day === null ? undefined : momentIn(timeZone, day, '00:00')?.toISOString()

/** When the next one begins. */
export const endOf = (day: string | null, timeZone: string): string | undefined =>
  day === null ? undefined : beginOf(new Date(Date.parse(day) + ONE_DAY).toISOString().slice(0, 10), timeZone)
