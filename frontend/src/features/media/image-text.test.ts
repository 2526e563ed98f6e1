import { expect, test } from 'vitest'
import { fileName, kindOf } from './image-text'

test.each([
  ['IMG_2041.JPG', 'image/jpeg', 'IMG_2041.jpg'],
  ['Model Fuhre, side', 'image/webp', 'Model Fuhre, side.webp'],
  ['was.gif', 'image/png', 'was.png'],
  ['a/b\\c: "d"?', 'image/png', 'a b c d.png'],
  ['v1.2', 'image/gif', 'v1.2.gif'],
])('%s of type %s is downloaded as %s', (name, mime, expected) => {
  expect(fileName(name, mime)).toBe(expected)
})

test('the kind is the one of the bytes', () => {
  expect(kindOf('image/jpeg')).toBe('JPEG')
})
