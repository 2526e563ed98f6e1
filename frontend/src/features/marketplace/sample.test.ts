import { expect, test } from 'vitest'
import { sampleCard } from './sample'

const card = { layout: 'steps' as const, foot: 'lindhof' }

test('the first line of a sample is the headline of its card', () => {
  expect(sampleCard({ sample_text: '\nThree steps\nWipe.\nOil.\n', card })).toEqual({
    headline: 'Three steps',
    text: 'Wipe.\nOil.',
    settings: { layout: 'steps', foot: 'lindhof' },
  })
})

test.each([
  ['words', { sample_text: ' \n ', card }],
  ['a design', { sample_text: 'A post', card: null }],
])('without %s there is no card', (_, template) => {
  expect(sampleCard(template)).toBeNull()
})

test('a sample keeps to what a card takes', () => {
  const drawn = sampleCard({ sample_text: `${'x'.repeat(300)}\n${'y'.repeat(2000)}`, card: {} })
  expect([drawn?.headline.length, drawn?.text?.length, drawn?.settings]).toEqual([200, 1000, {}])
})
