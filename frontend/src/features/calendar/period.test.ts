import { expect, test } from 'vitest'
import { addDays, clockChange, dayBegins, firstHour, freeAt, isDay, periodTitle, shownDays, step } from './period'

const MONDAY = 1
const SUNDAY = 0

test.each([
  ['month', MONDAY, { first: '2026-10-26', end: '2026-12-07' }],
  ['month', SUNDAY, { first: '2026-11-01', end: '2026-12-06' }],
  ['week', MONDAY, { first: '2026-11-16', end: '2026-11-23' }],
  ['week', SUNDAY, { first: '2026-11-22', end: '2026-11-29' }],
  ['day', MONDAY, { first: '2026-11-22', end: '2026-11-23' }],
  ['agenda', MONDAY, { first: '2026-11-22', end: '2026-12-22' }],
] as const)('a %s whose weeks begin with day %i has whole days', (view, weekStart, days) => {
  expect(shownDays(view, '2026-11-22', weekStart)).toEqual(days)
})

test.each([
  ['month', '2026-01-31', '2026-02-01', '2025-12-01'],
  ['week', '2026-11-22', '2026-11-29', '2026-11-15'],
  ['day', '2026-03-01', '2026-03-02', '2026-02-28'],
  ['agenda', '2026-11-22', '2026-12-22', '2026-10-23'],
] as const)('a %s leads to the next and to the one before', (view, day, next, before) => {
  expect(step(view, day, 1)).toBe(next)
  expect(step(view, day, -1)).toBe(before)
})

test('days are told from what is none', () => {
  expect(['2026-11-22', '2028-02-29', '2026-13-22', 'today', '2026-1-2', ''].map(isDay)).toEqual([true, true, false, false, false, false])
  // of which JavaScript makes another day, and of years that the server does not plan for
  expect(['2026-11-31', '2026-02-29', '1000-01-01'].map(isDay)).toEqual([false, false, false])
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
})

test.each([
  ['a time to come is as it is', '2026-11-25T09:00', true, '2026-11-25T08:00:00.000Z'],
  ['of today the next quarter of an hour', '2026-11-24T09:00', true, '2026-11-24T12:15:00.000Z'],
  ['an hour that is over is none', '2026-11-24T09:00', false, undefined],
  ['nor is a day', '2026-11-23T09:00', true, undefined],
] as const)('what is free there: %s', (_, wall, ofDay, at) => {
  expect(freeAt(wall, 'Europe/Berlin', new Date('2026-11-24T12:03:00Z'), ofDay)?.toISOString()).toBe(at)
})

test('nothing is left of a day just before its end', () => {
  expect(freeAt('2026-11-24T09:00', 'Europe/Berlin', new Date('2026-11-24T22:50:00Z'), true)).toBeNull()
})

test('a day begins at midnight there, also where midnight is left out', () => {
  expect(dayBegins('2026-07-01', 'Europe/Berlin').toISOString()).toBe('2026-06-30T22:00:00.000Z')
  expect(dayBegins('2026-04-24', 'Africa/Cairo').toISOString()).toBe('2026-04-23T22:00:00.000Z')
})

test('clocks change on two days of the year', () => {
  const days = ['2026-03-28', '2026-03-29', '2026-10-25', '2026-10-26']
  expect(days.map((day) => clockChange(day, 'Europe/Berlin'))).toEqual([0, 60, -60, 0])
  expect(clockChange('2026-04-05', 'Australia/Lord_Howe')).toBe(-30)
})

test('the heading says what is shown', () => {
  const title = (view: 'month' | 'week' | 'day', locale: string) => periodTitle(view, shownDays(view, '2026-11-22', MONDAY), '2026-11-22', locale)
  expect([title('month', 'en-GB'), title('month', 'de-DE')]).toEqual(['November 2026', 'November 2026'])
  expect(title('week', 'en-GB').replaceAll(/\s/g, ' ')).toBe('16 – 22 November 2026')
  expect(title('day', 'en-GB')).toContain('Sunday')
  // a line breaks between the days alone
  expect(title('week', 'en-GB').split(/\s–\s/).at(-1)).toBe('22\u00a0November\u00a02026')
})

test.each([
  ['the morning, where nothing is asked for', undefined, '07:00'],
  ['the hour itself, where it is night', '2026-11-25T03:40', '03:00'],
  ['the morning, where that holds the hour', '2026-11-25T11:59', '07:00'],
  ['hours before it, of an evening', '2026-11-25T19:16', '14:00'],
])('a day is drawn from %s', (_, wall, begins) => {
  expect(firstHour(wall)).toBe(begins)
})
