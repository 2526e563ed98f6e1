/** One bar: its day, and the height of each part; null if unknown. */
export interface Bar {
  day: string
  values: Record<string, number | null>
}

export const heightOf = ({ values }: Bar) => Object.values(values).reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** Return whether all parts of the bar are 0. */
export const isEmpty = ({ values }: Bar) => Object.values(values).every((value) => value === 0)

export const totalOf = (bars: readonly Bar[]) => bars.reduce((sum, bar) => sum + heightOf(bar), 0)

/** Return the sum of one part over all bars; null if it is 0 and some values are unknown. */
export function sumOf(bars: readonly Bar[], part: string): number | null {
  const values = bars.map((bar) => bar.values[part] ?? null)
  const numbers = values.filter((value) => value !== null)
  const sum = numbers.reduce((total, value) => total + value, 0)
  return sum === 0 && numbers.length < values.length ? null : sum
}

/** Return the highest bar, of equal ones the latest; undefined if all are empty. */
export function highestOf(bars: readonly Bar[]): Bar | undefined {
  const highest = bars.reduce<Bar | undefined>(
    (best, bar) => (best && heightOf(best) > heightOf(bar) ? best : bar),
    undefined,
  )
  return highest && heightOf(highest) > 0 ? highest : undefined
}

const ALL_NAMED = 14 // days: more labels do not fit

/** Return the days with labels: all of up to two weeks; of more, today and every seventh day before it. */
export const labelledDays = (bars: readonly Bar[]) =>
  bars
    .filter((_, index) => bars.length <= ALL_NAMED || (bars.length - 1 - index) % 7 === 0)
    .map(({ day }) => day)
