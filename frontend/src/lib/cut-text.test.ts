import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, shortened } from './cut-text'

test.each([
  ['Rain', 10, 'Rain'],
  ['Rain', 2, 'Ra'],
  ['Ride 🚲🚲', 6, 'Ride 🚲'],
  ['🚲🚲🚲', 3, '🚲🚲🚲'],
  ['Rain', 0, ''],
])('%s cut to %i characters is %s', (text, longest, cut) => {
  expect(cutText(text, longest)).toBe(cut)
})

test('it is a beginning that is no longer than that, and whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, longest) => {
      const cut = cutText(text, longest)
      expect(text.startsWith(cut)).toBe(true)
      expect([...cut].length).toBe(Math.min([...text].length, longest))
      expect(cut).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})

test.each([
  ['Rain without drama', 18, 'Rain without drama'],
  ['Rain without drama', 16, 'Rain without…'],
  ['Rain, snow', 8, 'Rain…'],
  ['Donaudampfschiff', 5, 'Donau…'],
])('%s shortened to %i characters is %s', (text, longest, short) => {
  expect(shortened(text, longest)).toBe(short)
})
