import { expect, test } from 'vitest'
import type { LeftOutDayOut, OccurrenceOut } from '@/api/types.gen'
import { withLeftOut } from './left-out'

const at = (day: string, time = '09:00'): OccurrenceOut => ({
  slot: `${day}T${time}:00Z`,
  local: `${day}T${time}:00`,
  offset_minutes: 0,
  clock_change: 0,
})
const left = (day: string, reason: LeftOutDayOut['reason'] = 'date', holiday = ''): LeftOutDayOut => ({ day, reason, holiday })

test('days left out stand between the occurrences, those for the same reason as one', () => {
  const rows = withLeftOut(
    [at('2026-12-23'), at('2026-12-28'), at('2027-01-07')],
    [
      left('2026-12-24'),
      left('2026-12-25', 'holiday', 'Christmas Day'),
      left('2026-12-26', 'holiday', 'Boxing Day'),
      left('2026-12-28', 'day_full'),
      left('2026-12-29'),
      left('2026-12-30'),
      left('2027-01-06'),
    ],
  )
  expect(rows.map((row) => ('reason' in row ? `${row.first} ${row.last} ${row.holiday || row.reason}` : row.local.slice(0, 10)))).toEqual([
    '2026-12-23',
    '2026-12-24 2026-12-24 date',
    '2026-12-25 2026-12-25 Christmas Day',
    '2026-12-26 2026-12-26 Boxing Day',
    '2026-12-28',
    '2026-12-29 2027-01-06 date',
    '2027-01-07',
  ])
})

test('without an occurrence they are all there is', () => {
  expect(withLeftOut([], [left('2026-12-24'), left('2026-12-25')])).toEqual([
    { first: '2026-12-24', last: '2026-12-25', reason: 'date', holiday: '' },
  ])
})
