import { expect, test } from 'vitest'
import { clockChangeInBerlin, DAY, dayOf, noonWithinWeek } from '../../e2e/days'

/** Every third hour of two years: every weekday, month's end and leap day among them. */
const moments = Array.from({ length: (2 * 366 * 24) / 3 }, (_, at) => new Date(Date.UTC(2027, 0, 1, 3 * at)))

test('a day within the week has a neighbour in its row, and both are still to come', () => {
  for (const now of moments) {
    const noon = noonWithinWeek(now)
    expect(noon.toISOString()).toMatch(/T12:00:00.000Z$/)
    expect([1, 2, 3, 4, 5], now.toISOString()).toContain(noon.getUTCDay())
    const ahead = noon.getTime() - now.getTime()
    expect(ahead, now.toISOString()).toBeGreaterThan(DAY / 2)
    expect(ahead, now.toISOString()).toBeLessThan(4 * DAY)
  }
})

test('the change of the clocks is the next one with a week before it', () => {
  expect(dayOf(clockChangeInBerlin(2, new Date('2026-11-28T12:00Z')))).toBe('2027-03-28')
  expect(dayOf(clockChangeInBerlin(2, new Date('2027-03-25T12:00Z')))).toBe('2028-03-26')
  expect(dayOf(clockChangeInBerlin(9, new Date('2026-10-01T12:00Z')))).toBe('2026-10-25')
  expect(dayOf(clockChangeInBerlin(9, new Date('2026-10-24T12:00Z')))).toBe('2027-10-31')
})
