import { expect, it } from 'vitest'
import { allTranslations } from '@/test/texts'
import { createFormat } from '@/i18n/format'
import { costText, phaseOf, secondsText } from './tryout-view'

const format = createFormat('en', 'Europe/Berlin')

it.each([
  [null, 'unknown'],
  [0, 'US$0.00'],
  [320, 'US$0.00032'],
  [1_250_000, 'US$1.25'],
])('a cost of %j is shown as %j', (cost_micros, text) => {
  expect(costText(allTranslations.en, format, { cost_micros, currency: 'USD' })).toBe(text)
})

it.each([
  [4, 'under 0.1\u00a0s'],
  [4_230, '4.2\u00a0s'],
  [59_949, '59.9\u00a0s'],
  [59_950, '1\u00a0min'],
  [72_000, '1\u00a0min 12\u00a0secs'],
])('%i ms took %j', (milliseconds, text) => {
  expect(secondsText(allTranslations.en, format, milliseconds)).toBe(text)
})

it('retries only while the next attempt is to come', () => {
  const next_try_at = '2026-11-21T12:00:24Z'
  expect(phaseOf({ state: 'running', next_try_at })).toBe('retrying')
  expect(phaseOf({ state: 'running', next_try_at: null })).toBe('running')
  expect(phaseOf({ state: 'failed', next_try_at })).toBe('failed')
})
