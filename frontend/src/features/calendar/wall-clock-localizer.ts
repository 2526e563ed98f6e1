import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { dayjsLocalizer } from 'react-big-calendar'

dayjs.extend(utc)

/** Return a rendered date for dayjs in UTC, whatever the browser's zone. */
export const wallDayjs = (drawn: Date) => dayjs.utc(drawn)

const MINUTE = 60_000 // ms
const minutesOfDay = (drawn: Date) => drawn.getUTCHours() * 60 + drawn.getUTCMinutes()

/**
 * Return a localizer for `react-big-calendar` that reads and makes each `Date` by its UTC parts (see `asDrawn`). The
 * library's own one for dayjs draws in the browser's zone: there a day on which clocks change has an hour too few or
 * too many, and an entry stands in another row than its time says.
 */
export function wallClockLocalizer() {
  // the library adds plugins to the dayjs it is given, so pass dayjs itself, called as `dayjs.utc`
  const inUtc = new Proxy(dayjs, { apply: (_, __, args: Parameters<typeof dayjs.utc>) => dayjs.utc(...args) })
  // these use the browser's zone even with `dayjs.utc`
  return Object.assign(dayjsLocalizer(inUtc), {
    segmentOffset: 0,
    getTimezoneOffset: () => 0,
    getDstOffset: () => 0,
    getMinutesFromMidnight: minutesOfDay,
    merge: (date: Date | null, time: Date | null) => {
      if (!date || !time) return date ?? time
      const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
      return new Date(midnight + minutesOfDay(time) * MINUTE + time.getUTCSeconds() * 1000)
    },
  })
}
