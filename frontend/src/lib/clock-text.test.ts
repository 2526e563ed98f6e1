import { expect, test } from 'vitest'
import { clockText } from './clock-text'

test.each([
  [0.4, '0:00'],
  [34.2, '0:34'],
  [59.6, '1:00'],
  [754, '12:34'],
  [3723, '1:02:03'],
])('%s seconds are %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text)
})
