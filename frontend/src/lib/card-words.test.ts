import { expect, test } from 'vitest'
import { CardNote, PageKind } from '@/api/types.gen'
import { allTranslations } from '@/test/texts'
import { fontName, layoutName, noteText, paletteName, words } from './card-words'

const { en, de } = allTranslations

test.each([
  ['source_sans', 'Source sans'],
  ['quote', 'Quote'],
  ['one_two_three', 'One two three'],
  ['', ''],
])('%o reads %o', (name, read) => {
  expect(words(name)).toBe(read)
})

test('a layout has its name in the language of the interface', () => {
  expect(layoutName(en, 'quote')).not.toBe(layoutName(de, 'quote'))
})

test.each(Object.values(PageKind))('a page of the kind %s has its German name', (kind) => {
  expect(layoutName(de, kind)).toBe(de(`cards:carousel.kinds.${kind}`))
})

test('a layout of a newer server has a name, too', () => {
  expect(layoutName(de, 'big_picture')).toBe('Big picture')
})

test('a typeface and a palette have their names, those of a newer server too', () => {
  expect([fontName(en, 'source_sans'), fontName(en, 'comic_mono')]).toEqual(['Source Sans', 'Comic mono'])
  expect([paletteName(de, 'saffron'), paletteName(de, 'deep_sea')]).toEqual([de('cards:palettes.saffron'), 'Deep sea'])
})

test('every note has its own sentence, one of a newer server the general one', () => {
  const told = Object.values(CardNote).map((note) => noteText(en, note))
  expect(new Set(told).size).toBe(told.length)
  expect(noteText(en, 'from_the_future' as CardNote)).toBe(en('cards:notes.other'))
  expect(told).not.toContain(en('cards:notes.other'))
})
