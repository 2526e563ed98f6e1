import type { TFunction } from 'i18next'
import type { ScheduleIn } from '@/api/types.gen'
import { languageFacts, type Language } from '@/i18n/languages'
import { cronMeaning, type CronMeaning } from '@/features/assistants/form/cron'

const MONDAY = Date.UTC(2024, 0, 1)
const DAY = 86_400_000 // ms

/** Return the short name of a weekday, such as `Mon`; 1 is Monday. */
export function weekdayName(day: number, language: Language, width: 'short' | 'long' = 'short'): string {
  const options = { weekday: width, timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(languageFacts(language).locale, options).format(new Date(MONDAY + (day - 1) * DAY))
}

const monthName = (month: number, language: Language) =>
  new Intl.DateTimeFormat(languageFacts(language).locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1))

const list = (items: (string | number)[], language: Language) =>
  new Intl.ListFormat(languageFacts(language).locale).format(items.map(String))

/** Return times as a list, such as `09:00 and 16:30`, `9:00 und 16:30 Uhr`. */
function clockTimes(slots: string[], language: Language): string {
  const { clock } = languageFacts(language)
  if (!clock) return list(slots, language)
  return `${list(slots.map((slot) => slot.replace(/^0(?=\d)/, '')), language)} ${clock}`
}

/** Return the schedule in one line, such as `Mon, Wed and Fri at 09:00`; null if it is incomplete. */
export function scheduleText(t: TFunction<['common', 'assistants']>, schedule: ScheduleIn, language: Language): string | null {
  const { frequency, time_slots = [], days_of_week = [], days_of_month = [], every_days } = schedule
  if (frequency === 'cron') return schedule.cron ? (cronText(t, schedule.cron, language) ?? schedule.cron) : null
  if (time_slots.length === 0) return null
  const times = clockTimes(time_slots, language)
  switch (frequency) {
    case 'daily':
      return t('assistants:scheduleDaily', { times })
    case 'weekly': {
      const days = list(days_of_week.map((day) => weekdayName(day, language)), language)
      return days_of_week.length === 0 ? null : t('assistants:scheduleOnDays', { days, times })
    }
    case 'monthly': {
      const days = list(days_of_month, language)
      const options = { count: days_of_month.length, days, times }
      return days_of_month.length === 0 ? null : t('assistants:scheduleMonthly', options)
    }
    case 'interval':
      return every_days ? t('assistants:scheduleInterval', { count: every_days, times }) : null
  }
}

/** Return a CRON expression as a sentence without full stop; null if it is too special. */
export function cronText(t: TFunction<['common', 'assistants']>, expression: string, language: Language): string | null {
  const meaning = cronMeaning(expression)
  if (!meaning) return null
  return [cronDays(t, meaning, language), cronTimes(t, meaning.times, language), cronMonths(t, meaning, language)]
    .filter(Boolean)
    .join(', ')
}

function cronDays(t: TFunction<['common', 'assistants']>, { daysOfWeek, daysOfMonth }: CronMeaning, language: Language): string {
  const weekdays = daysOfWeek && t('assistants:cron.onWeekdays', { days: weekdayRange(t, daysOfWeek, language) })
  const days = daysOfMonth && t('assistants:cron.onDays', { count: daysOfMonth.length, days: list(daysOfMonth, language) })
  if (weekdays && days) return t('assistants:cron.either', { days, weekdays })
  return weekdays ?? days ?? t('assistants:cron.everyDay')
}

function weekdayRange(t: TFunction<['common', 'assistants']>, days: number[], language: Language): string {
  const [first = 1] = days
  const last = days.at(-1) ?? first
  const name = (day: number) => weekdayName(day, language, 'long')
  if (days.length > 2 && last - first === days.length - 1) {
    return t('assistants:cron.range', { first: name(first), last: name(last) })
  }
  return list(days.map(name), language)
}

function cronTimes(t: TFunction<['common', 'assistants']>, times: CronMeaning['times'], language: Language): string {
  if (times.kind === 'at') return t('assistants:cron.at', { times: clockTimes(times.times, language) })
  const hours = times.hours && list(times.hours, language)
  if (times.kind === 'minutes') {
    const every = t('assistants:cron.everyMinutes', { count: times.step })
    const from = times.offset > 0 ? ` ${t('assistants:cron.fromMinute', { minute: times.offset })}` : ''
    return every + from + (hours ? ` ${t('assistants:cron.inHours', { hours })}` : '')
  }
  const minutes = list(times.minutes, language)
  return hours ? t('assistants:cron.minutesOfHours', { minutes, hours }) : t('assistants:cron.minutesOfEveryHour', { minutes })
}

function cronMonths(t: TFunction<['common', 'assistants']>, { months }: CronMeaning, language: Language): string {
  return months ? t('assistants:cron.inMonths', { months: list(months.map((month) => monthName(month, language)), language) }) : ''
}
