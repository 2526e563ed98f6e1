import { expect, test } from 'vitest'
import { dayStart, validDay, dayEnd } from './day-span'

test.each(['2026-11-21', '1999-12-31', '2028-02-29'])('%s is a day', (day) => {
  expect(validDay(day)).toBe(day)
})

// while 2026 is typed, a browser reports the year 2; `Date` turns some invalid days into others
test.each(['', 'today', '0002-11-28', '9999-12-31', '2026-02-29', '2026-11-31', '2026-13-01', '2026-1-2'])('%s is none', (said) => {
  expect(validDay(said)).toBeNull()
})

test('it begins and ends at midnight there', () => {
  expect([dayStart('2026-10-25', 'Europe/Berlin'), dayEnd('2026-10-25', 'Europe/Berlin')]).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'])
  expect(dayEnd('2026-12-31', 'UTC')).toBe('2027-01-01T00:00:00.000Z')
  expect([dayStart(null, 'UTC'), dayEnd(null, 'UTC')]).toEqual([undefined, undefined])
})
