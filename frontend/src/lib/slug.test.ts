import { expect, test } from 'vitest'
import { feedAddressOf, slugOf } from './slug'

// the same cases as in the server's own test
test.each([
  ['Gärten & Höfe 2026!', 'gaerten-hoefe-2026'],
  ['Straße', 'strasse'],
  ['Café à la crème', 'cafe-a-la-creme'],
  ['  --Two   words-- ', 'two-words'],
  ['!?', ''],
  ['日本語', ''],
])('%s is written as %s', (title, slug) => expect(slugOf(title)).toBe(slug))

test('it is cut between words, and an address of a feed without a hyphen at its end', () => {
  expect(slugOf(`${'a'.repeat(90)} ${'b'.repeat(20)}`)).toBe('a'.repeat(90))
  expect(slugOf('c'.repeat(120))).toBe('c'.repeat(100))
  expect(feedAddressOf(`${'a'.repeat(59)} b`)).toBe('a'.repeat(59))
})
