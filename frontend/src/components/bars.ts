/** One bar: its day, and the height of each of its parts; null is one that nobody knows. */
export interface Bar {
  day: string
  values: Record<string, number | null>
}

export const heightOf = ({ values }: Bar) => Object.values(values).reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** Nothing to draw and nothing to tell. */
export const isEmpty = ({ values }: Bar) => Object.values(values).every((value) => value === 0)

export const totalOf = (bars: readonly Bar[]) => bars.reduce((sum, bar) => sum + heightOf(bar), 0)

/** One part of all bars; null where something was, and none of it is known. */
export function sumOf(bars: readonly Bar[], part: string): number | null {
  const values = bars.map((bar) => bar.values[part] ?? null)
  const known = values.filter((value) => value !== null)
  const sum = known.reduce((total, value) => total + value, 0)
  return sum === 0 && known.length < values.length ? null : sum
}

/** The highest bar, of equal ones the latest; none where all are empty. */
export function highestOf(bars: readonly Bar[]): Bar | undefined {
  const highest = bars.reduce<Bar | undefined>(
    (best, bar) => (best && heightOf(best) > heightOf(bar) ? best : bar),
    undefined,
  )
  return highest && heightOf(highest) > 0 ? highest : undefined
}

const ALL_NAMED = 14 // days: more of them have no room for their numbers

/** The days that are named: all of two weeks; of more, today and those that are whole weeks before it. */
export const labelledDays = (bars: readonly Bar[]) =>
  bars
    .filter((_, index) => bars.length <= ALL_NAMED || (bars.length - 1 - index) % 7 === 0)
    .map(({ day }) => day)
