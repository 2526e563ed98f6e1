import { expect, test } from 'vitest'
import { altOf, colourOf, completeCard, completeSettings, newCard, sameCard } from './card-settings'

test.each([
  ['#FDC146', '#fdc146'],
  ['0e444b', '#0e444b'],
  [' #fff ', '#ffffff'],
  ['#1aF', '#11aaff'],
  ['#12', null],
  ['#12345', null],
  ['petrol', null],
  ['', null],
])('“%s” is the colour %s', (typed, colour) => {
  expect(colourOf(typed)).toBe(colour)
})

test('the alt text says all that can be read', () => {
  expect(altOf({ headline: ' Be seen ', text: 'Light down\nReflectors on \n' })).toBe('Be seen. Light down, Reflectors on')
  expect(altOf({ headline: '104', text: '' })).toBe('104')
  expect(altOf({ headline: 'x', text: 'y'.repeat(2000) })).toHaveLength(1000)
})

test('settings with gaps are the same as those with the defaults', () => {
  const stored = completeCard({ headline: 'a', settings: { foot: '', size: 'square' } })
  expect(sameCard(stored, { ...newCard, headline: 'a' })).toBe(true)
  expect(sameCard(stored, { ...stored, settings: completeSettings({ logo_id: '7' }) })).toBe(false)
})
