import { languageFacts, type Language } from './languages'

const MICRO = 1_000_000
const SECOND = 1_000 // ms
const UNITS = [
  ['day', 24 * 60 * 60 * SECOND],
  ['hour', 60 * 60 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
] as const

/** Return the text with a capital first letter, to begin a sentence. */
export const sentenceStart = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Return a getter that creates its value on first use, since creating a formatter takes milliseconds. */
function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}

/** Return all formats of one language and one time zone. Instants are `Date`s or the server's ISO strings. */
export function createFormat(language: Language, timeZone: string) {
  const { locale } = languageFacts(language)
  return { ...dateFormats(language, timeZone), ...durationFormats(locale), ...numberFormats(locale) }
}

function dateFormats(language: Language, timeZone: string) {
  const { locale, dayEnd, at, clock: clockWord } = languageFacts(language)
  const formatter = (options: Intl.DateTimeFormatOptions) =>
    lazily(() => new Intl.DateTimeFormat(locale, { timeZone, ...options }))
  const clock = formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const clockWithSeconds = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
  const shortDay = formatter({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const fullDay = formatter({ weekday: 'long', day: 'numeric', month: 'long' })
  const weekdayName = formatter({ weekday: 'long' })
  const calendarDay = lazily(() => new Intl.DateTimeFormat('en-CA', { timeZone })) // 2026-10-21
  const relativeDay = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

  /** Return the number of days from today in the zone: 0 is today, 1 tomorrow, −1 yesterday. */
  const daysAway = (at: Instant, now: Date) =>
    Math.round((Date.parse(calendarDay().format(toDate(at))) - Date.parse(calendarDay().format(now))) / UNITS[0][1])

  /** `09:00`, for tables and lists. */
  const time = (at: Instant) => clock().format(toDate(at))

  /** `Wed 21 Oct`, `Mi. 21. Okt.`; with the year if it is not the current one. */
  const day = (at: Instant, now = new Date()) => {
    const parts = namedParts(shortDay(), toDate(at))
    const year = parts.year === namedParts(shortDay(), now).year ? '' : ` ${parts.year}`
    return `${parts.weekday} ${parts.day}${dayEnd} ${parts.month}${year}`
  }

  /** `9:00`, `9:00 Uhr` (without a line break), inside sentences. */
  const timeInSentence = (at: Instant) => time(at).replace(/^0(?=\d)/, '') + (clockWord && `\u00a0${clockWord}`)

  /** `today`, `tomorrow`, `yesterday`, a weekday within the next week, else `Wed 21 Oct`. */
  const dayInSentence = (at: Instant, now = new Date()) => {
    const away = daysAway(at, now)
    if (Math.abs(away) <= 1) return relativeDay().format(away, 'day')
    return away > 1 && away < 7 ? weekdayName().format(toDate(at)) : day(at, now)
  }

  return {
    time,
    day,
    timeInSentence,
    dayInSentence,

    /** `9:00`; on another day `yesterday at 9:00`, `Wed 21 Oct at 9:00`. */
    momentInSentence: (moment: Instant, now = new Date()) => {
      if (daysAway(moment, now) === 0) return timeInSentence(moment)
      return `${dayInSentence(moment, now)} ${at} ${timeInSentence(moment)}`
    },

    /** `at 9:00`, `yesterday at 9:00`, as an adverb in sentences. */
    atMoment: (moment: Instant, now = new Date()) => {
      const clock = `${at} ${timeInSentence(moment)}`
      return daysAway(moment, now) === 0 ? clock : `${dayInSentence(moment, now)} ${clock}`
    },

    /** `09:00:04`, where seconds matter. */
    seconds: (at: Instant) => clockWithSeconds().format(toDate(at)),

    /** `Wed 21 Oct, 16:30`, for tables and lists. */
    dayAndTime: (at: Instant, now = new Date()) => `${day(at, now)}, ${time(at)}`,

    /** `Wednesday, 21 October`, for headings. */
    longDay: (at: Instant) => {
      const parts = namedParts(fullDay(), toDate(at))
      return `${parts.weekday}, ${parts.day}${dayEnd} ${parts.month}`
    },

    /** `November`, `November 2025`: the month of a day, with the year if it is not the current one. */
    month: (at: Instant, now = new Date()) => {
      const year = toDate(at).getUTCFullYear() === now.getUTCFullYear() ? undefined : 'numeric'
      return new Intl.DateTimeFormat(locale, { month: 'long', year, timeZone: 'UTC' }).format(toDate(at))
    },
  }
}

function durationFormats(locale: string) {
  const relativeTime = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  return {
    /** `in 4 days`, `2 hours ago`: the largest unit only. */
    relative: (at: Instant, now = new Date()) => {
      const distance = toDate(at).getTime() - now.getTime()
      const [unit, size] = UNITS.find(([, milliseconds]) => Math.abs(distance) >= milliseconds) ?? UNITS[3]
      return relativeTime().format(Math.trunc(distance / size), unit)
    },

    /** `7 hr 34 min`, `7 Std. 34 Min.`, `< 1 sec`: the two largest units of a time in milliseconds. */
    duration: (milliseconds: number) => {
      const first = UNITS.findIndex(([, size]) => milliseconds >= size)
      if (first === -1) return `< ${unit(locale, 'second', 1)}`
      const texts: string[] = []
      let rest = milliseconds
      for (const [name, size] of UNITS.slice(first, first + 2)) {
        const count = Math.floor(rest / size)
        rest -= count * size
        if (count > 0) texts.push(unit(locale, name, count))
      }
      return texts.join(' ')
    },

    /** `07:34:12`, for countdowns; days count as hours. */
    countdown: (milliseconds: number) => {
      const total = Math.max(0, Math.floor(milliseconds / SECOND))
      return [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
        .map((part) => String(part).padStart(2, '0'))
        .join(':')
    },

    /** `2.1 sec`, `2,1 Sek.`, `< 0.1 sec` from milliseconds. */
    secondsTaken: (milliseconds: number) =>
      (milliseconds < 50 ? '< ' : '') + unit(locale, 'second', Math.max(milliseconds, 100) / SECOND, 1),
  }
}

function numberFormats(locale: string) {
  const numbers = lazily(() => new Intl.NumberFormat(locale))
  return {
    number: (value: number) => numbers().format(value),

    /** `98.4%`, `98,4 %` from a share between 0 and 1. */
    percent: (share: number) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share),

    /** `€3.18`, `3,18 €` from millionths of the currency; amounts below 0.01 with two significant digits. */
    money: (micros: number, currency: string) => {
      const amount = micros / MICRO
      const tiny = amount !== 0 && Math.abs(amount) < 0.01
      const digits = tiny ? { maximumSignificantDigits: 2 } : {}
      return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(amount)
    },

    /** `€3.180047`: to the millionth, for exact costs. */
    exactMoney: (micros: number, currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(
        micros / MICRO,
      ),

    /** `LinkedIn, Facebook and Instagram`. */
    list: (items: string[]) => new Intl.ListFormat(locale).format(items),
  }
}

type Instant = Date | string

export type Format = ReturnType<typeof createFormat>

const toDate = (at: Instant) => (typeof at === 'string' ? new Date(at) : at)

function namedParts(formatter: Intl.DateTimeFormat, at: Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  return Object.fromEntries(formatter.formatToParts(at).map(({ type, value }) => [type, value]))
}

function unit(locale: string, name: string, value: number, maximumFractionDigits = 0): string {
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits }).format(value)
  return text.replace(' ', '\u00a0')
}
