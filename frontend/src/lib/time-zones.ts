/** Return the browser's time zone by its IANA name. */
export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Return all IANA zones that the browser knows, and UTC, which some browsers omit. */
export function timeZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
}

const knownZones: Record<string, string> = {}

/** Return the zone, or UTC if the browser does not know it: the server's list may be newer. */
export function knownZone(timeZone: string): string {
  try {
    return (knownZones[timeZone] ??= Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone)
  } catch {
    return (knownZones[timeZone] = 'UTC')
  }
}

/** Return the offset from UTC at that moment: `UTC+2`, `UTC+5:30`, `UTC`. */
export function utcOffset(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: knownZone(timeZone), timeZoneName: 'shortOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'UTC'
  // some browsers write GMT, others GMT+0
  return name.replace('GMT', 'UTC').replace('-', '−').replace(/[+−]0$/, '')
}

const wallFormats = new Map<string, Intl.DateTimeFormat>()

function wallFormat(timeZone: string): Intl.DateTimeFormat {
  const format =
    wallFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: knownZone(timeZone),
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  wallFormats.set(timeZone, format)
  return format
}

/** Return the local time in the zone, in the format of a date and time field: `2026-03-29T01:30`. */
export function wallTime(at: Date, timeZone: string): string {
  const parts = Object.fromEntries(wallFormat(timeZone).formatToParts(at).map(({ type, value }) => [type, value]))
  // while a year is typed it has fewer digits; the field needs four
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** Years after 9999 need a sign and six digits. */
const asIfUtc = (wall: string) => Date.parse(/^\d{5}-/.test(wall) ? `+0${wall}Z` : `${wall}Z`)

const DAY = 86_400_000 // ms

/**
 * Return the instant of a local time in the zone, by the rules of schedules: of a time that occurs twice the first; a
 * skipped time moves forward by the gap.
 */
export function instantOf(wall: string, timeZone: string): Date {
  const asUtc = asIfUtc(wall)
  const offset = (at: number) => asIfUtc(wallTime(new Date(at), timeZone)) - Math.floor(at / 60_000) * 60_000
  const [before, after] = [asUtc - offset(asUtc - DAY), asUtc - offset(asUtc + DAY)]
  const candidates = [Math.min(before, after), Math.max(before, after)].map((moment) => new Date(moment))
  return candidates.find((moment) => wallTime(moment, timeZone) === wall) ?? new Date(before)
}

/** Return the time shown instead (`03:30`) if the zone's clocks skip that local time, else null. */
export function timeInsteadOf(wall: string, timeZone: string): string | null {
  const shown = wall && wallTime(instantOf(wall, timeZone), timeZone)
  return shown && shown !== wall.slice(0, 16) ? shown.slice(11) : null
}

/** Return the instant of a day (`2026-11-21`) and time (`08:00`) in the zone; null if one is invalid. */
export function momentIn(timeZone: string, day: string, time: string): Date | null {
  const wall = `${day}T${time}`
  return Number.isNaN(Date.parse(`${wall}Z`)) ? null : instantOf(wall, timeZone)
}

/** Return the zone's date at that moment plus `later` days: `2026-11-22`. */
export function dayIn(timeZone: string, at: Date, later = 0): string {
  const day = Date.parse(`${wallTime(at, timeZone).slice(0, 10)}T00:00Z`)
  return new Date(day + later * DAY).toISOString().slice(0, 10)
}

/** Return the planned time from the fields of a form; null if none is set. */
export const plannedAt = ({ planned, zone }: { planned: string; zone: string }): Date | null =>
  Number.isNaN(Date.parse(`${planned}Z`)) ? null : instantOf(planned, zone)
