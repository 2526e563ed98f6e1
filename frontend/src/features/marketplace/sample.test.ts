import { expect, test } from 'vitest'
import { sampleCard } from './sample'

const card = { layout: 'steps' as const, foot: 'lindhof' }

test('the first line of a sample is the headline of its card', () => {
  expect(sampleCard({ sample_text: '\nThree steps\nWipe.\nOil.\n', card, is_carousel: false })).toEqual({
    headline: 'Three steps',
    text: 'Wipe.\nOil.',
    settings: { layout: 'steps', foot: 'lindhof' },
  })
})

test.each([
  ['words', { sample_text: ' \n ', card, is_carousel: false }],
  ['a design', { sample_text: 'A post', card: null, is_carousel: false }],
])('without %s there is no card', (_, template) => {
  expect(sampleCard(template)).toBeNull()
})

test('a sample keeps to what a card takes', () => {
  const drawn = sampleCard({ sample_text: `${'x'.repeat(300)}\n${'y'.repeat(2000)}`, card: {}, is_carousel: false })
  expect([drawn?.headline.length, drawn?.text?.length, drawn?.settings]).toEqual([200, 1000, {}])
})

test('of a carousel only the title is on the card', () => {
  expect(sampleCard({ sample_text: 'Three steps\n\nWipe the chain.', card, is_carousel: true })).toMatchObject({
    headline: 'Three steps',
    text: '',
  })
})
