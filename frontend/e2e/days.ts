/**
 * Days that suit a story whenever it runs. Those with a step to a neighbouring day or with a change of the clocks take
 * their days from here, so that none of them depends on the weekday, the month's end or the hour at which it runs.
 */

export const DAY = 24 * 60 * 60_000 // ms

const SUNDAY = 0
const SATURDAY = 6

/** Return the date of a time in UTC, `2026-11-21`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * Return noon (UTC) of the next day from tomorrow on that stands left of another day in a row of the calendar: from
 * Monday to Friday, whether weeks begin on Sunday or Monday. It and its right neighbour are still to come, and neither
 * is the day of `now` in any time zone of the stories.
 */
export function noonWithinWeek(now = new Date()): Date {
  const noon = new Date(now.getTime() + DAY)
  noon.setUTCHours(12, 0, 0, 0)
  while ([SUNDAY, SATURDAY].includes(noon.getUTCDay())) noon.setTime(noon.getTime() + DAY)
  return noon
}

/**
 * Return noon (UTC) of the next last Sunday of March (`month` 2) or October (9), on which clocks change in Berlin. It is
 * at least a week away, since a story may also need the days before it.
 */
export function clockChangeInBerlin(month: 2 | 9, now = new Date()): Date {
  const lastSunday = (year: number) => {
    const last = new Date(Date.UTC(year, month, 31, 12))
    return new Date(last.getTime() - last.getUTCDay() * DAY)
  }
  const thisYear = lastSunday(now.getUTCFullYear())
  return thisYear.getTime() > now.getTime() + 7 * DAY ? thisYear : lastSunday(now.getUTCFullYear() + 1)
}
