import { expect, test } from 'vitest'
import { lanesOf } from './entries'

const at = (from: string, to: string) => ({ start: new Date(`2026-11-25T${from}`), end: new Date(`2026-11-25T${to}`) })

test.each([
  [[], undefined],
  [[at('07:00', '07:45'), at('07:45', '08:30')], 1],
  [[at('07:00', '07:45'), at('07:30', '08:15'), at('07:44', '08:29'), at('08:00', '08:45')], 3],
])('as many lanes as are drawn at one moment', (entries, lanes) => {
  expect(lanesOf(entries).get('2026-11-25')).toBe(lanes)
})

test('a busy day makes no other one wider', () => {
  const next = { start: new Date('2026-11-26T07:00'), end: new Date('2026-11-26T07:45') }
  expect([...lanesOf([at('07:00', '07:45'), at('07:00', '07:45'), next])]).toEqual([
    ['2026-11-25', 2],
    ['2026-11-26', 1],
  ])
})
