import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { startI18n } from '@/i18n'
import { cronMeaning } from './cron'
import { cronText, scheduleText } from './schedule-text'

beforeAll(async () => {
  await startI18n()
  await i18next.loadLanguages(['en', 'de'])
})

const said = (expression: string, language: 'en' | 'de') => cronText(i18next.getFixedT(language), expression, language)

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
  const t = i18next.getFixedT('de')
  const schedule = { frequency: 'weekly', time_zone: 'Europe/Berlin', time_slots: ['09:00', '16:30'], days_of_week: [1, 3] } as const
  const given = { ...schedule, time_slots: [...schedule.time_slots], days_of_week: [...schedule.days_of_week] }
  expect(scheduleText(t, given, 'de')).toBe('Mo und Mi um 9:00 und 16:30 Uhr')
  expect(scheduleText(t, { ...given, time_slots: [] }, 'de')).toBeNull()
  expect(scheduleText(t, { ...given, frequency: 'interval', every_days: 10 }, 'de')).toBe('Alle 10 Tage um 9:00 und 16:30 Uhr')
})
