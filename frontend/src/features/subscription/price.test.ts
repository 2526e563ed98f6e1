import type { TFunction } from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Interval } from '@/api/types.gen'
import { createFormat } from '@/i18n/format'
import type { Language } from '@/i18n/languages'
import { loadTexts } from '@/test/texts'
import { priceText } from './price'

let texts: Record<Language, TFunction>
const formats = { en: createFormat('en', 'UTC'), de: createFormat('de', 'UTC') }

beforeAll(async () => {
  texts = await loadTexts()
})

const price = (price_cents: number | null, currency: string | null, interval: Interval | null = 'month', interval_count = 1) => ({
  price_cents,
  currency,
  interval,
  interval_count,
})
const plain = (text?: string) => text?.replaceAll('\u00a0', ' ')

describe('a price', () => {
  test.each([
    [price(1900, 'EUR'), '€19.00 a month', '19,00 € im Monat'],
    [price(4800, 'EUR', 'month', 3), '€48.00 every 3 months', '48,00 € alle 3 Monate'],
    [price(19_050, 'USD', 'year'), 'US$190.50 a year', '190,50 $ im Jahr'],
    [price(500, 'CHF', 'week', 2), 'CHF 5.00 every 2 weeks', '5,00 CHF alle 2 Wochen'],
    [price(100, 'EUR', 'day'), '€1.00 a day', '1,00 € am Tag'],
    [price(1900, 'JPY'), 'JP¥1,900 a month', '1.900 ¥ im Monat'],
    [price(19_000, 'KWD'), 'KWD 19.000 a month', '19,000 KWD im Monat'],
  ])('%o is said in both languages', (priced, said, gesagt) => {
    expect(plain(priceText(texts.en, formats.en, priced))).toBe(said)
    expect(plain(priceText(texts.de, formats.de, priced))).toBe(gesagt)
  })

  test('that nobody knows is none', () => {
    expect(priceText(texts.en, formats.en, price(null, null, null))).toBeUndefined()
  })
})
