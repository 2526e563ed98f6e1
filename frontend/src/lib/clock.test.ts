import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serverClockOffset, shortCountdown, timeToOffer, millisecondsUntil, useNow } from './clock'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T13:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('the clock ticks once a second and follows the server', () => {
  const ahead = serverClockOffset('2026-11-21T13:00:10Z', Date.now())
  const { result } = renderHook(() => useNow(ahead))
  expect(result.current.toISOString()).toBe('2026-11-21T13:00:10.000Z')
  act(() => void vi.advanceTimersByTime(3_000))
  expect(result.current.toISOString()).toBe('2026-11-21T13:00:13.000Z')
})

test('a wait is negative once it is over', () => {
  const now = new Date()
  expect(millisecondsUntil('2026-11-21T13:00:24Z', now)).toBe(24_000)
  expect(millisecondsUntil('2026-11-21T12:59:59Z', now)).toBe(-1_000)
})

test.each([
  [24_000, '0:24'],
  [23_400, '0:24'],
  [725_000, '12:05'],
  [-5_000, '0:00'],
])('%i ms are shown as %s', (milliseconds, text) => {
  expect(shortCountdown(milliseconds)).toBe(text)
})

test.each([
  ['2026-11-21T15:00:00Z', '2026-11-21T15:00:00.000Z'],
  ['2026-11-21T13:00:20Z', '2026-11-21T14:00:00.000Z'],
  ['2026-11-20T15:00:00Z', '2026-11-21T14:00:00.000Z'],
  [null, '2026-11-21T14:00:00.000Z'],
])('a new time for %s begins at %s', (planned, offered) => {
  expect(timeToOffer(planned, new Date()).toISOString()).toBe(offered)
})
