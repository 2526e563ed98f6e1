import { expect, test } from 'vitest'
import type { ScheduleIn } from '@/api/types.gen'
import { allTranslations } from '@/test/texts'
import { cronMeaning } from '@/features/assistants/form/cron'
import { cronText, scheduleText, weekdayName } from './schedule-text'

const said = (expression: string, language: 'en' | 'de') => cronText(allTranslations[language], expression, language)

test.each([
  ['30 8 * * 1-5', 'on Monday to Friday, at 08:30', 'Montag bis Freitag, um 8:30 Uhr'],
  ['*/2 * * * *', 'Every day, every 2 minutes', 'Jeden Tag, alle 2 Minuten'],
  ['1-59/2 * * * *', 'Every day, every 2 minutes from minute 1', 'Jeden Tag, alle 2 Minuten ab Minute 1'],
  ['0 9,16 1 * *', 'on day 1 of the month, at 09:00 and 16:00', 'am 1. des Monats, um 9:00 und 16:00 Uhr'],
  ['0 9 1 * mon', 'on day 1 of the month and also on Monday, at 09:00', 'am 1. des Monats und außerdem Montag, um 9:00 Uhr'],
  ['5 * * 12 0', 'on Sunday, at minute 5 of every hour, in December', 'Sonntag, zu Minute 5 jeder Stunde, im Dezember'],
])('%s is read aloud', (expression, english, german) => {
  expect(said(expression, 'en')).toBe(english)
  expect(said(expression, 'de')).toBe(german)
})

test.each(['', '* * * *', '99 * * * *', '0 9 L * *', '0 9 * * 5#2', '* * * * * *'])('%o is left to the server', (expression) => {
  expect(cronMeaning(expression)).toBeNull()
})

test('0 and 7 are both Sunday', () => {
  expect(cronMeaning('0 9 * * 0')).toEqual(cronMeaning('0 9 * * 7'))
  expect(cronMeaning('0 9 * * sun')?.daysOfWeek).toEqual([7])
})

test('a schedule in one line', () => {
  const t = allTranslations.de
  const schedule = { frequency: 'weekly', time_zone: 'Europe/Berlin', time_slots: ['09:00', '16:30'], days_of_week: [1, 3] } as const
  const given = { ...schedule, time_slots: [...schedule.time_slots], days_of_week: [...schedule.days_of_week] }
  expect(scheduleText(t, given, 'de')).toBe('Mo und Mi um 9:00 und 16:30 Uhr')
  expect(scheduleText(t, { ...given, time_slots: [] }, 'de')).toBeNull()
  expect(scheduleText(t, { ...given, frequency: 'interval', every_days: 10 }, 'de')).toBe('Alle 10 Tage um 9:00 und 16:30 Uhr')
})

const schedule = (changes: Partial<ScheduleIn>): ScheduleIn => ({ frequency: 'daily', time_zone: 'UTC', time_slots: ['09:00'], ...changes })

test.each<[Partial<ScheduleIn>, string, string]>([
  [{}, 'Every day at 09:00', 'Jeden Tag um 9:00 Uhr'],
  [{ time_slots: ['08:00', '12:30', '18:00'] }, 'Every day at 08:00, 12:30 and 18:00', 'Jeden Tag um 8:00, 12:30 und 18:00 Uhr'],
  [{ frequency: 'weekly', days_of_week: [1, 7] }, 'Mon and Sun at 09:00', 'Mo und So um 9:00 Uhr'],
  [{ frequency: 'monthly', days_of_month: [1] }, 'On day 1 of the month at 09:00', 'Am 1. des Monats um 9:00 Uhr'],
  [{ frequency: 'monthly', days_of_month: [1, 15] }, 'On days 1 and 15 of the month at 09:00', 'An den Tagen 1 und 15 des Monats um 9:00 Uhr'],
  [{ frequency: 'interval', every_days: 1 }, 'Every day at 09:00', 'Jeden Tag um 9:00 Uhr'],
  [{ frequency: 'interval', every_days: 3 }, 'Every 3 days at 09:00', 'Alle 3 Tage um 9:00 Uhr'],
  [{ frequency: 'cron', cron: '0 9 * * 6', time_slots: [] }, 'on Saturday, at 09:00', 'Samstag, um 9:00 Uhr'],
  // too special for words: as it was written
  [{ frequency: 'cron', cron: '0 9 L * *', time_slots: [] }, '0 9 L * *', '0 9 L * *'],
])('%o in one line', (changes, english, german) => {
  expect(scheduleText(allTranslations.en, schedule(changes), 'en')).toBe(english)
  expect(scheduleText(allTranslations.de, schedule(changes), 'de')).toBe(german)
})

test.each<Partial<ScheduleIn>>([
  { time_slots: [] },
  { frequency: 'weekly', days_of_week: [] },
  { frequency: 'monthly', days_of_month: [] },
  { frequency: 'interval', every_days: null },
  { frequency: 'cron', cron: null },
  { frequency: 'cron', cron: '' },
])('while something is missing there is none: %o', (changes) => {
  expect(scheduleText(allTranslations.en, schedule(changes), 'en')).toBeNull()
})

test('weekdays from Monday to Sunday, short and long', () => {
  const names = (language: 'en' | 'de', width: 'short' | 'long') => [1, 2, 3, 4, 5, 6, 7].map((day) => weekdayName(day, language, width))
  expect(names('en', 'short')).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
  expect(names('de', 'short')).toEqual(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'])
  expect(names('de', 'long').at(-1)).toBe('Sonntag')
})

test.each([
  ['0 9 * * 1,3,5', 'on Monday, Wednesday and Friday, at 09:00', 'Montag, Mittwoch und Freitag, um 9:00 Uhr'],
  ['0 9 1,15 * *', 'on days 1 and 15 of the month, at 09:00', null],
  ['*/10 8-9 * * *', 'Every day, every 10 minutes in the hours 8 and 9', null],
  ['5,7 8-12 * * *', 'Every day, at minute 5 and 7 of the hours 8, 9, 10, 11 and 12', null],
  ['* * * * *', 'Every day, every minute', 'Jeden Tag, jede Minute'],
  ['0 9 * 1,6 *', 'Every day, at 09:00, in January and June', 'Jeden Tag, um 9:00 Uhr, im Januar und Juni'],
])('%s is said whole', (expression, english, german) => {
  expect(said(expression, 'en')).toBe(english)
  if (german) expect(said(expression, 'de')).toBe(german)
})
