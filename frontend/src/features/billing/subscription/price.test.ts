import { describe, expect, test } from 'vitest'
import type { Interval } from '@/api/types.gen'
import { allTranslations } from '@/test/texts'
import { priceText } from './price'

const texts = allTranslations

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
    [price(190_050, 'RSD'), 'RSD 1,900.50 a month', '1.900,50 RSD im Monat'],
    [price(1900, 'JPY'), 'JP¥1,900 a month', '1.900 ¥ im Monat'],
    [price(19_000, 'KWD'), 'KWD 19.000 a month', '19,000 KWD im Monat'],
  ])('%o is said in both languages', (priced, said, gesagt) => {
    expect(plain(priceText(texts.en, 'en', priced))).toBe(said)
    expect(plain(priceText(texts.de, 'de', priced))).toBe(gesagt)
  })

  test('that nobody knows is none', () => {
    expect(priceText(texts.en, 'en', price(null, null, null))).toBeUndefined()
  })
})
