import { expect, test } from 'vitest'
import { createFormat } from '@/i18n/format'
import { allTranslations } from '@/test/texts'
import { dimensions, fileName, kindOf, nameOf, sizeText } from './image-text'

test.each([
  ['IMG_2041.JPG', 'image/jpeg', 'IMG_2041.jpg'],
  ['Model Fuhre, side', 'image/webp', 'Model Fuhre, side.webp'],
  ['was.gif', 'image/png', 'was.png'],
  ['IMG_0042.HEIC', 'image/jpeg', 'IMG_0042.jpg'],
  ['a/b\\c: "d"?', 'image/png', 'a b c d.png'],
  ['v1.2', 'image/gif', 'v1.2.gif'],
])('%s of type %s is downloaded as %s', (name, mime, expected) => {
  expect(fileName(name, mime)).toBe(expected)
})

test('the kind is the one of the bytes', () => {
  expect(kindOf('image/jpeg')).toBe('JPEG')
})

test.each([
  [1, '1\u00a0KB', '1\u00a0KB'],
  [428_032, '418\u00a0KB', '418\u00a0KB'],
  [1_048_576, '1\u00a0MB', '1\u00a0MB'],
  [2_516_582, '2.4\u00a0MB', '2,4\u00a0MB'],
])('%i bytes are %s', (bytes, english, german) => {
  const { en, de } = allTranslations
  expect(sizeText(en, createFormat('en', 'UTC'), bytes)).toBe(english)
  expect(sizeText(de, createFormat('de', 'UTC'), bytes)).toBe(german)
})

test('a file without a name is called by its kind, an image by where it came from', () => {
  const { en, de } = allTranslations
  expect(nameOf(en, { name: 'Side', source: 'upload', kind: 'image' })).toBe('Side')
  const unnamed = (['upload', 'ai', 'card'] as const).map((source) => nameOf(en, { name: '', source, kind: 'image' }))
  expect(new Set(unnamed).size).toBe(3)
  expect(nameOf(en, { name: '', source: 'upload', kind: 'video' })).toBe('Video without a name')
  expect(nameOf(de, { name: '', source: 'ai', kind: 'image' })).not.toBe(nameOf(en, { name: '', source: 'ai', kind: 'image' }))
})

test('its size is told as people write it', () => {
  expect(dimensions({ width: 2_400, height: 1_800 })).toBe('2400 × 1800')
})
