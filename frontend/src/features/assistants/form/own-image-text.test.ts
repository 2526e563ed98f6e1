import { expect, test } from 'vitest'
import { allTranslations } from '@/test/texts'
import { ownImageText } from './own-image-text'

const facts = { source: 'own', media_id: 'image', name: 'Shop', order: 'in_turn', round: 2, images: 3, left_out: 0 }

test('which image it was, out of how many, and how many were left out', () => {
  const { en, de } = allTranslations
  expect(ownImageText(en, facts)).toBe('Your image “Shop” · in turn, of 3 images')
  expect(ownImageText(en, { ...facts, order: 'random', left_out: 2 })).toBe(
    'Your image “Shop” · at random, of 3 images · 2 skipped, removed from the gallery',
  )
  expect(ownImageText(de, { ...facts, name: '', images: 1, left_out: 1 })).toBe(
    'Eigenes Bild · der Reihe nach, von 1 Bild · 1 ausgelassen, aus der Galerie entfernt',
  )
})
