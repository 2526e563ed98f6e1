import fc from 'fast-check'
import { expect, test } from 'vitest'
import { browserTimeZone, instantOf, timeInsteadOf, timeZones, utcOffset, wallTime } from './time-zones'

const winter = new Date('2026-01-15T12:00:00Z')
const summer = new Date('2026-07-15T12:00:00Z')

test.each([
  ['UTC', winter, 'UTC'],
  ['Europe/Berlin', winter, 'UTC+1'],
  ['Europe/Berlin', summer, 'UTC+2'],
  ['Asia/Kolkata', summer, 'UTC+5:30'],
  // a minus sign, not a hyphen
  ['America/New_York', winter, 'UTC−5'],
  ['America/St_Johns', winter, 'UTC−3:30'],
])('%s at %s is %s', (zone, at, offset) => {
  expect(utcOffset(zone, at)).toBe(offset)
})

test('the clock change counts from its moment on', () => {
  expect(utcOffset('Europe/Berlin', new Date('2026-10-25T00:59:59Z'))).toBe('UTC+2')
  expect(utcOffset('Europe/Berlin', new Date('2026-10-25T01:00:00Z'))).toBe('UTC+1')
})

test('a zone that the browser does not know is read as UTC', () => {
  expect(utcOffset('Mars/Olympus', summer)).toBe('UTC')
  expect(wallTime(summer, 'Mars/Olympus')).toBe('2026-07-15T12:00')
  expect(instantOf('2026-07-15T12:00', 'Mars/Olympus')).toEqual(summer)
})

test('UTC can be chosen, and no zone stands there twice', () => {
  const zones = timeZones()
  expect(zones[0]).toBe('UTC')
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).toContain('Europe/Berlin')
})

test('every zone that can be chosen has an offset, at any time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...timeZones()), fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (zone, at) => {
      expect(utcOffset(zone, at)).toMatch(/^UTC([+−]\d{1,2}(:\d{2})?)?$/u)
    }),
    { numRuns: 50 },
  )
})

test('the browser’s own zone has an offset', () => {
  expect(utcOffset(browserTimeZone(), winter)).toMatch(/^UTC/)
})

test.each([
  // the rules of schedules: a skipped time moves forward by the gap, of a repeated one the first counts
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-07-01T09:00', '2026-07-01T07:00:00.000Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['Asia/Kolkata', '2026-01-01T00:00', '2025-12-31T18:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z'],
])('%s at %s is %s', (zone, wall, moment) => {
  expect(instantOf(wall, zone).toISOString()).toBe(moment)
})

test('a moment is found again by what clocks show, wherever they are, but for the second of two', () => {
  fc.assert(
    fc.property(fc.constantFrom(...timeZones()), fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (zone, date) => {
      const at = new Date(Math.floor(date.getTime() / 60_000) * 60_000)
      const found = instantOf(wallTime(at, zone), zone)
      expect(wallTime(found, zone)).toBe(wallTime(at, zone))
      expect(found.getTime()).toBeLessThanOrEqual(at.getTime())
    }),
    { numRuns: 100 },
  )
})

test.each(['0002-03-01T10:00', '0020-03-01T10:00', '0202-03-01T10:00', '9999-12-31T23:59'])(
  'a year that somebody is just typing has its moment: %s',
  (wall) => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'UTC']) expect(wallTime(instantOf(wall, zone), zone)).toBe(wall)
  },
)

test('a time that clocks leave out is told', () => {
  expect(timeInsteadOf('2027-03-28T02:30', 'Europe/Berlin')).toBe('03:30')
  expect(timeInsteadOf('2027-03-28T03:30', 'Europe/Berlin')).toBeNull()
  expect(timeInsteadOf('', 'Europe/Berlin')).toBeNull()
})
