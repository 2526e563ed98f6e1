/**
 * Days for tests that move to a neighbouring day or need a clock change, so that the tests do not depend on the
 * weekday, the end of the month or the hour of the run.
 */

export const DAY = 24 * 60 * 60_000 // ms

const SUNDAY = 0
const SATURDAY = 6

/** Return the date of a time in UTC, `2026-11-21`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * Return noon (UTC) of the next day from tomorrow on that has a right neighbour in its row of the calendar: Monday to
 * Friday, whether weeks begin on Sunday or Monday. Both days are in the future, and neither is the day of `now` in any
 * time zone of the tests.
 */
export function noonWithinWeek(now = new Date()): Date {
  const noon = new Date(now.getTime() + DAY)
  noon.setUTCHours(12, 0, 0, 0)
  while ([SUNDAY, SATURDAY].includes(noon.getUTCDay())) noon.setTime(noon.getTime() + DAY)
  return noon
}

/**
 * Return noon (UTC) of the next last Sunday of March (`month` 2) or October (9), on which clocks change in Berlin. It is
 * at least a week away, since a test may also need the days before it.
 */
export function clockChangeInBerlin(month: 2 | 9, now = new Date()): Date {
  const lastSunday = (year: number) => {
    const last = new Date(Date.UTC(year, month, 31, 12))
    return new Date(last.getTime() - last.getUTCDay() * DAY)
  }
  const thisYear = lastSunday(now.getUTCFullYear())
  return thisYear.getTime() > now.getTime() + 7 * DAY ? thisYear : lastSunday(now.getUTCFullYear() + 1)
}
