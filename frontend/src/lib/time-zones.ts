/** The browser's own zone, by its IANA name. */
export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All IANA zones the browser knows, with UTC, which some leave out. */
export function timeZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
}

/** `UTC+2`, `UTC+5:30`, `UTC`: the distance from UTC at that moment. */
export function utcOffset(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'UTC'
  // some write GMT, others GMT+0
  return name.replace('GMT', 'UTC').replace('-', '−').replace(/[+−]0$/, '')
}
