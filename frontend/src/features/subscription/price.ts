import type { TFunction } from 'i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'

/** Currencies that Stripe counts in units, and in thousandths; all others it counts in hundredths. */
const IN_UNITS = ['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']
const IN_THOUSANDTHS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

const decimals = (currency: string) => (IN_UNITS.includes(currency) ? 0 : IN_THOUSANDTHS.includes(currency) ? 3 : 2)

type Priced = Pick<SubscriptionOut, 'price_cents' | 'currency' | 'interval' | 'interval_count'>

/** `€19.00`, `1.900 ¥`: of one billing period; undefined where the price is not known. */
export function amountText(format: Format, { price_cents, currency }: Priced): string | undefined {
  if (price_cents === null || currency === null) return undefined
  return format.smallestUnits(price_cents, currency, decimals(currency))
}

/** `€19.00 a month`, `48,00 € alle 3 Monate`. */
export function priceText(t: TFunction, format: Format, priced: Priced): string | undefined {
  const price = amountText(format, priced)
  return price && priced.interval ? t(`subscription.per.${priced.interval}`, { price, count: priced.interval_count ?? 1 }) : price
}
