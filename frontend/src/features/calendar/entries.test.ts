import { expect, test } from 'vitest'
import { lanesOf } from './entries'

const at = (from: string, to: string) => ({ start: new Date(`2026-11-25T${from}`), end: new Date(`2026-11-25T${to}`) })

test.each([
  [[], 1],
  [[at('07:00', '07:45'), at('07:45', '08:30')], 1],
  [[at('07:00', '07:45'), at('07:30', '08:15'), at('07:44', '08:29'), at('08:00', '08:45')], 3],
])('as many lanes as are drawn at one moment', (entries, lanes) => {
  expect(lanesOf(entries)).toBe(lanes)
})
