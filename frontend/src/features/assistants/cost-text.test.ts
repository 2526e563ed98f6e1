import { expect, test } from 'vitest'
import { createFormat } from '@/i18n/format'
import { aRun } from '@/test/made'
import { allTranslations } from '@/test/texts'
import { costText } from './cost-text'

const { en, de } = allTranslations

const told = (changes: Parameters<typeof aRun>[0]) => costText(en, createFormat('en', 'UTC'), aRun(changes))

test.each([
  ['tokens and cost', {}, ['€0.0032', '1,302 tokens']],
  ['a single token', { input_tokens: 1, output_tokens: 0 }, ['€0.0032', '1 token']],
  ['tokens whose price is not known', { cost_micros: null, cost_known: false }, ['cost unknown', '1,302 tokens']],
  ['a part whose price is not known', { cost_known: false }, ['> €0.0032', '1,302 tokens']],
  ['a model that costs nothing', { cost_micros: 0 }, ['€0.00', '1,302 tokens']],
  ['what costs nothing and reads no tokens', { input_tokens: 0, output_tokens: 0, cost_micros: 0 }, ['€0.00']],
  ['no model at all, as of a missed one', { input_tokens: null, output_tokens: null, cost_micros: null }, []],
  ['calls of which nothing is known', { input_tokens: null, output_tokens: null, cost_micros: null, cost_known: false }, ['cost unknown']],
  ['only half of it known', { output_tokens: null }, ['€0.0032', '1,088 tokens']],
] as const)('%s', (_, changes, texts) => {
  expect(told(changes)).toEqual(texts)
})

test('in German', () => {
  const [cost, tokens] = costText(de, createFormat('de', 'UTC'), aRun())
  expect(cost?.replace(/\s/u, ' ')).toBe('0,0032 €')
  expect(tokens).toMatch(/^1\.302 /)
})
