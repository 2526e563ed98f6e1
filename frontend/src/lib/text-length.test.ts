import { expect, test } from 'vitest'
import { textLength } from './text-length'

test.each([
  [undefined, 3],
  ['larger', 3],
  ['utf16', 3],
  ['code_points', 2],
] as const)('a text counts as its network counts: %s', (counting, length) => {
  expect(textLength('🧵a', counting)).toBe(length)
})
