import type { TFunction } from 'i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import { languageFacts, type Language } from '@/i18n/languages'

/** Currencies that Stripe counts in units, and in thousandths; all others it counts in hundredths. */
const IN_UNITS = ['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']
const IN_THOUSANDTHS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

const decimalsOf = (currency: string) => (IN_UNITS.includes(currency) ? 0 : IN_THOUSANDTHS.includes(currency) ? 3 : 2)

type Priced = Pick<SubscriptionOut, 'price_cents' | 'currency' | 'interval' | 'interval_count'>

/** Return the price of a billing period, such as `€19.00`, `1.900 ¥`; undefined if it is unknown. */
export function amountText(language: Language, { price_cents, currency }: Priced): string | undefined {
  if (price_cents === null || currency === null) return undefined
  // Stripe's number of decimals, which differs from the browser's for some currencies
  const decimals = decimalsOf(currency)
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = new Intl.NumberFormat(languageFacts(language).locale, { style: 'currency', currency, ...digits })
  return format.format(price_cents / 10 ** decimals)
}

/** Return the price with its period: `€19.00 a month`, `48,00 € alle 3 Monate`. */
export function priceText(t: TFunction<['common', 'billing']>, language: Language, priced: Priced): string | undefined {
  const price = amountText(language, priced)
  return price && priced.interval ? t(`billing:subscription.per.${priced.interval}`, { price, count: priced.interval_count ?? 1 }) : price
}
