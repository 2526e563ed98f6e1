import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { dayjsLocalizer } from 'react-big-calendar'

dayjs.extend(utc)

/** A drawn time for dayjs: its parts are those of UTC, whatever the browser's zone is. */
export const wallDayjs = (drawn: Date) => dayjs.utc(drawn)

const MINUTE = 60_000 // ms
const minutesOfDay = (drawn: Date) => drawn.getUTCHours() * 60 + drawn.getUTCMinutes()

/**
 * Return a localizer for `react-big-calendar` that reads and makes each `Date` by its UTC parts (see `asDrawn`). The
 * library's own one for dayjs draws in the browser's zone: there a day on which clocks change has an hour too few or
 * too many, and an entry stands in another row than its time says.
 */
export function wallClockLocalizer() {
  // the library adds its plugins to what it is given: so it is dayjs itself, called as `dayjs.utc`
  const inUtc = new Proxy(dayjs, { apply: (_, __, args: Parameters<typeof dayjs.utc>) => dayjs.utc(...args) })
  // these look at the browser's zone whatever dayjs does
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
