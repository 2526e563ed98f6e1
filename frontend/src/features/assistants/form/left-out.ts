import type { LeftOutDayOut, OccurrenceOut } from '@/api/types.gen'

/** Consecutive days that are left out for the same reason: `2026-12-24` to `2027-01-06`. */
export interface LeftOutDays {
  first: string
  last: string
  reason: 'date' | 'holiday'
  holiday: string
}

/** Return whether the day is left out because it has the maximum of posts; it is still part of the schedule. */
export const isFull = ({ reason }: LeftOutDayOut) => reason === 'day_full'

/**
 * Return occurrences and left-out days in the order of the calendar; consecutive days with the same reason are one row.
 */
export function withLeftOut<Coming extends OccurrenceOut>(
  occurrences: readonly Coming[],
  leftOut: readonly LeftOutDayOut[],
): (Coming | LeftOutDays)[] {
  const rows: (Coming | LeftOutDays)[] = []
  const leftOutDays = leftOut.filter((day) => !isFull(day))
  let next = 0
  const addUntil = (day: string) => {
    for (let left = leftOutDays[next]; left && left.day < day; left = leftOutDays[++next]) add(left)
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
