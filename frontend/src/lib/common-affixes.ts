/** A character of a word, or half of a surrogate pair, or the joiner inside an emoji. */
const WORD = /[\p{L}\p{M}\p{N}\p{Cs}\u200d]/u

/** Return how many UTF-16 units two texts share at their start and at their end, in whole words. */
export function commonAffixes(first: string, second: string): [start: number, end: number] {
  const most = Math.min(first.length, second.length)
  const isInside = (at: number) => WORD.test(first[at - 1] ?? '') && (WORD.test(first[at] ?? '') || WORD.test(second[at] ?? ''))
  let start = 0
  while (start < most && first[start] === second[start]) start += 1
  while (start > 0 && isInside(start)) start -= 1
  let end = 0
  while (end < most - start && first.at(-1 - end) === second.at(-1 - end)) end += 1
  const inside = (text: string) => WORD.test(text.at(-end) ?? '') && WORD.test(text.at(-end - 1) ?? '')
  while (end > 0 && (inside(first) || inside(second))) end -= 1
  return [start, end]
}
