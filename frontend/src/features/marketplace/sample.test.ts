import { expect, test } from 'vitest'
import { sampleCard } from './sample'

const settings = { image: { card: { layout: 'steps' as const, foot: 'lindhof' } } }

test('the first line of a sample is the headline of its card', () => {
  expect(sampleCard('\nThree steps\nWipe.\nOil.\n', settings)).toEqual({
    headline: 'Three steps',
    text: 'Wipe.\nOil.',
    settings: { layout: 'steps', foot: 'lindhof' },
  })
})

test('without words there is no card', () => {
  expect(sampleCard(' \n ', settings)).toBeNull()
})

test('a sample keeps to what a card takes', () => {
  const card = sampleCard(`${'x'.repeat(300)}\n${'y'.repeat(2000)}`, {})
  expect([card?.headline.length, card?.text?.length, card?.settings]).toEqual([200, 1000, {}])
})
