import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { altOf, colourOf, completeSettings, sameSettings } from '@/lib/card-settings'
import { completeCard, newCard, sameCard } from './card-settings'

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
  expect(altOf({ headline: 'Be seen!', text: 'Light down.\nReflectors on.' })).toBe('Be seen! Light down. Reflectors on.')
  expect(altOf({ headline: 'x', text: 'y'.repeat(2000) })).toHaveLength(1000)
})

test('settings with gaps are the same as those with the defaults', () => {
  const stored = completeCard({ headline: 'a', settings: { foot: '', size: 'square' } })
  expect(sameCard(stored, { ...newCard, headline: 'a' })).toBe(true)
  expect(sameCard(stored, { ...stored, settings: completeSettings({ logo_id: '7' }) })).toBe(false)
})

test('a long alt text never ends in half a character', () => {
  const alt = altOf({ headline: 'x', text: '🚲'.repeat(2_000) })
  expect([...alt]).toHaveLength(1_000)
  expect(alt).not.toMatch(/\p{Surrogate}/u)
})

describe('a colour', () => {
  const digit = fc.constantFrom(...'0123456789abcdefABCDEF')
  const colour = fc.array(digit, { minLength: 6, maxLength: 6 }).map((digits) => digits.join(''))

  test('is the same with and without its sign, in either case, and read again', () => {
    fc.assert(
      fc.property(colour, (digits) => {
        const read = colourOf(digits)
        expect(read).toMatch(/^#[0-9a-f]{6}$/)
        expect(colourOf(`#${digits}`)).toBe(read)
        expect(colourOf(digits.toUpperCase())).toBe(read)
        expect(colourOf(read ?? '')).toBe(read)
      }),
    )
  })

  test('is whole or none, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^#?[0-9a-fA-F]{0,8}$/)), (typed) => {
        expect(colourOf(typed) ?? '#000000').toMatch(/^#[0-9a-f]{6}$/)
      }),
    )
  })
})

test('the words of a card count, too', () => {
  expect(sameCard(newCard, { ...newCard, text: 'x' })).toBe(false)
  expect(sameCard(newCard, { ...newCard, headline: 'x' })).toBe(false)
  expect(sameSettings(completeSettings({ ground: '#000000' }), completeSettings({ ink: '#000000' }))).toBe(false)
})
