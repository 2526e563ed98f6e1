import { expect, test } from 'vitest'
import { accepted, IMAGES_ONLY, kindOfFile, largestBytes } from './file-kinds'

test.each([
  ['application/pdf', 'a', 'document'],
  ['', 'Talk.PDF', 'document'],
  ['video/mp4', 'a', 'video'],
  ['', 'clip.MOV', 'video'],
  ['video/webm', 'clip.webm', 'video'],
  ['image/png', 'a.png', 'image'],
  ['', 'unknown', 'image'],
])('a file of type “%s” named %s is a %s', (type, name, kind) => {
  expect(kindOfFile({ type, name })).toBe(kind)
})

test('where an image is chosen, the file dialog offers images only', () => {
  expect(accepted(IMAGES_ONLY)).not.toMatch(/pdf|video/)
})

test('limits are those of the server', () => {
  expect(largestBytes('image')).toBe(20_971_520)
  expect(largestBytes('document')).toBe(100_000_000)
  expect(largestBytes('video')).toBe(1_000_000_000)
})
