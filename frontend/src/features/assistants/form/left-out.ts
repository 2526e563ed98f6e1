import type { LeftOutDayOut, OccurrenceOut } from '@/api/types.gen'

/** Days in a row that are left out for one reason: `2026-12-24` to `2027-01-06`. */
export interface LeftOutDays {
  first: string
  last: string
  reason: 'date' | 'holiday'
  holiday: string
}

/** A day that takes no more posts is one of the schedule all the same. */
export const isFull = ({ reason }: LeftOutDayOut) => reason === 'day_full'

/** Occurrences and days left out as the calendar has them, days for the same reason as one row. */
export function withLeftOut<Coming extends OccurrenceOut>(
  occurrences: readonly Coming[],
  leftOut: readonly LeftOutDayOut[],
): (Coming | LeftOutDays)[] {
  const rows: (Coming | LeftOutDays)[] = []
  const coming = leftOut.filter((day) => !isFull(day))
  let next = 0
  const addUntil = (day: string) => {
    for (let left = coming[next]; left && left.day < day; left = coming[++next]) add(left)
  }
  const add = ({ day, reason, holiday }: LeftOutDayOut) => {
    const before = rows.at(-1)
    const goesOn = before && 'reason' in before && before.reason === 'date' && reason === 'date'
    if (goesOn) before.last = day
    else rows.push({ first: day, last: day, reason: reason === 'holiday' ? 'holiday' : 'date', holiday })
  }
  for (const occurrence of occurrences) {
    addUntil(occurrence.local.slice(0, 10))
    rows.push(occurrence)
  }
  addUntil('9999-12-31')
  return rows
}
