/** The parts of a CRON expression that can be put into words. */
export interface CronMeaning {
  times:
    | { kind: 'minutes'; step: number; offset: number; hours: number[] | null }
    | { kind: 'at'; times: string[] }
    | { kind: 'hourly'; minutes: number[]; hours: number[] | null }
  /** 1 is Monday; null is every day. */
  daysOfWeek: number[] | null
  daysOfMonth: number[] | null
  months: number[] | null
}

const MOST_TIMES = 6
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/**
 * Return the parts of an expression for a sentence; null if it is too special. Only the server validates it and
 * calculates the dates.
 */
export function cronMeaning(expression: string): CronMeaning | null {
  const parts = expression.trim().toLowerCase().split(/\s+/)
  if (parts.length !== 5) return null
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  const minutes = field(minute, 0, 59)
  const hours = field(hour, 0, 23)
  const daysOfMonth = field(day, 1, 31)
  const months = field(month, 1, 12, MONTHS, 1)
  const weekdays = field(weekday, 0, 7, DAYS, 0)
  if (!minutes || !hours || !daysOfMonth || !months || !weekdays) return null
  return {
    times: times(minutes, restricted(hours, 24)),
    daysOfWeek: restricted(sorted(weekdays.map((day) => (day === 0 ? 7 : day))), 7),
    daysOfMonth: restricted(daysOfMonth, 31),
    months: restricted(months, 12),
  }
}

function times(minutes: number[], hours: number[] | null): CronMeaning['times'] {
  const rhythm = everyFew(minutes)
  if (rhythm) return { kind: 'minutes', ...rhythm, hours }
  if (!hours || hours.length * minutes.length > MOST_TIMES) return { kind: 'hourly', minutes, hours }
  const two = (value: number) => String(value).padStart(2, '0')
  return { kind: 'at', times: hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`)) }
}

/** Return the interval of minutes that are evenly spread over the hour, such as 0, 15, 30, 45; null if they are not. */
function everyFew(minutes: number[]): { step: number; offset: number } | null {
  const [offset = 0, second] = minutes
  if (second === undefined) return null
  const step = second - offset
  const even = offset < step && 60 % step === 0 && minutes.length === 60 / step
  return even && minutes.every((minute, index) => minute === offset + index * step) ? { step, offset } : null
}

const restricted = (values: number[], all: number) => (values.length === all ? null : values)

const sorted = (values: number[]) => [...new Set(values)].sort((first, second) => first - second)

/**
 * Return the values of a field with lists, ranges and steps of numbers or names; null for anything else, such as `L` or
 * `5#2`.
 */
function field(text: string, least: number, most: number, names: string[] = [], firstName = 0): number[] | null {
  const values: number[] = []
  for (const part of text.split(',')) {
    const match = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part)
    if (!match) return null
    const [, from = '', to, stepText] = match
    const step = stepText === undefined ? 1 : Number(stepText)
    const every = from === '*'
    const first = every ? least : number(from, names, firstName)
    const last = every || (to === undefined && stepText !== undefined) ? most : number(to ?? from, names, firstName)
    if (first === null || last === null || (every && to) || step < 1) return null
    if (first < least || last > most || first > last) return null
    for (let value = first; value <= last; value += step) values.push(value)
  }
  return sorted(values)
}

function number(text: string, names: string[], firstName: number): number | null {
  if (/^\d+$/.test(text)) return Number(text)
  const index = names.indexOf(text)
  return index === -1 ? null : index + firstName
}
