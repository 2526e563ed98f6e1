/** The browser's own zone, by its IANA name. */
export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All IANA zones the browser knows, with UTC, which some leave out. */
export function timeZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
}

const known: Record<string, string> = {}

/** The zone, or UTC where the browser does not know it: the server's list may be newer, and no page breaks by that. */
export function knownZone(timeZone: string): string {
  try {
    return (known[timeZone] ??= Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone)
  } catch {
    return (known[timeZone] = 'UTC')
  }
}

/** `UTC+2`, `UTC+5:30`, `UTC`: the distance from UTC at that moment. */
export function utcOffset(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: knownZone(timeZone), timeZoneName: 'shortOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'UTC'
  // some write GMT, others GMT+0
  return name.replace('GMT', 'UTC').replace('-', '−').replace(/[+−]0$/, '')
}

const wallFormats = new Map<string, Intl.DateTimeFormat>()

function wallFormat(timeZone: string): Intl.DateTimeFormat {
  const found =
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
  wallFormats.set(timeZone, found)
  return found
}

/** What clocks show there, as a field for date and time takes it: `2026-03-29T01:30`. */
export function wallTime(at: Date, timeZone: string): string {
  const parts = Object.fromEntries(wallFormat(timeZone).formatToParts(at).map(({ type, value }) => [type, value]))
  // a year that is being typed has few digits, and the field writes four
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** After 9999 years are written with a sign and six digits. */
const asIfUtc = (wall: string) => Date.parse(/^\d{5}-/.test(wall) ? `+0${wall}Z` : `${wall}Z`)

const DAY = 86_400_000 // ms

/**
 * The moment at which clocks there show that time. One that happens twice means the first; one that is left out moves
 * forward by the gap: the rules of schedules.
 */
export function instantOf(wall: string, timeZone: string): Date {
  const asUtc = asIfUtc(wall)
  const offset = (at: number) => asIfUtc(wallTime(new Date(at), timeZone)) - Math.floor(at / 60_000) * 60_000
  const [before, after] = [asUtc - offset(asUtc - DAY), asUtc - offset(asUtc + DAY)]
  const candidates = [Math.min(before, after), Math.max(before, after)].map((moment) => new Date(moment))
  return candidates.find((moment) => wallTime(moment, timeZone) === wall) ?? new Date(before)
}

/** Clocks there never show that time: it is in the hour that they leave out. Then what they show instead: `03:30`. */
export function leftOut(wall: string, timeZone: string): string | null {
  const shown = wall && wallTime(instantOf(wall, timeZone), timeZone)
  return shown && shown !== wall.slice(0, 16) ? shown.slice(11) : null
}

/** When clocks there show that day (`2026-11-21`) and time (`08:00`); null where one of them is none. */
export function momentIn(timeZone: string, day: string, time: string): Date | null {
  const wall = `${day}T${time}`
  return Number.isNaN(Date.parse(`${wall}Z`)) ? null : instantOf(wall, timeZone)
}

/** The day on the calendar there at that moment, so many days later: `2026-11-22`. */
export function dayIn(timeZone: string, at: Date, later = 0): string {
  const day = Date.parse(`${wallTime(at, timeZone).slice(0, 10)}T00:00Z`)
  return new Date(day + later * DAY).toISOString().slice(0, 10)
}

/** When something goes out, by the fields that say so; null while nobody has said. */
export const plannedAt = ({ planned, zone }: { planned: string; zone: string }): Date | null =>
  Number.isNaN(Date.parse(`${planned}Z`)) ? null : instantOf(planned, zone)
