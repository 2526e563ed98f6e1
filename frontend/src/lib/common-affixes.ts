/** A character of a word, or half of a surrogate pair, or the joiner inside an emoji. */
const WORD = /[\p{L}\p{M}\p{N}\p{Cs}\u200d]/u

/** Return how many UTF-16 units two texts share at their start and at their end, in whole words. */
export function commonAffixes(one: string, other: string): [start: number, end: number] {
  const most = Math.min(one.length, other.length)
  const isInside = (at: number) => WORD.test(one[at - 1] ?? '') && (WORD.test(one[at] ?? '') || WORD.test(other[at] ?? ''))
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  while (start > 0 && isInside(start)) start -= 1
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const inside = (text: string) => WORD.test(text.at(-end) ?? '') && WORD.test(text.at(-end - 1) ?? '')
  while (end > 0 && (inside(one) || inside(other))) end -= 1
  return [start, end]
}
