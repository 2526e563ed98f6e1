import { expect, test } from 'vitest'
import { passageOf, replacePassage, passageText } from './passage'

const PIECES = ['a', ' ', '\n', 'ß', 'é', '🚲', '👨‍👩‍👧', '🇩🇪', '👍🏽', '\u200d', 'Ende. ']

/** Return a random sequence that is the same in each run. */
function* numbers(seed: number) {
  for (let value = seed; ; value = (value * 48_271) % 2_147_483_647) yield value
}

test('all outside of the passage stays, whatever is selected and written', () => {
  const numbered = numbers(42)
  const next = (below: number) => numbered.next().value! % below
  const some = (most: number) => Array.from({ length: next(most) }, () => PIECES[next(PIECES.length)]).join('')
  for (let round = 0; round < 2_000; round++) {
    const text = some(20)
    const [start, end] = [next(text.length + 1), next(text.length + 1)].sort((one, other) => one - other) as [number, number]
    const passage = passageOf(text, start, end)
    if (!passage) continue
    const written = some(6)
    const result = replacePassage(passage, written)
    expect(result.startsWith(text.slice(0, passage.start))).toBe(true)
    expect(result.endsWith(text.slice(passage.end))).toBe(true)
    expect(result.length).toBe(text.length - passageText(passage).length + written.length)
    // neither the rest nor the sent part contains half a character
    for (const part of [text.slice(0, passage.start), passageText(passage), text.slice(passage.end)])
      expect(() => encodeURIComponent(part)).not.toThrow()
    expect(replacePassage(passage, passageText(passage))).toBe(text)
  }
})

test('a selection within an emoji takes all of it, and spaces are none', () => {
  expect(passageOf('🚲 ab', 1, 3)).toEqual({ text: '🚲 ab', start: 0, end: 3 })
  expect(passageOf('ab 🚲', 0, 4)).toEqual({ text: 'ab 🚲', start: 0, end: 5 })
  expect(passageOf('a  b', 1, 3)).toBeUndefined()
  expect(passageOf('ab', 1, 1)).toBeUndefined()
})
