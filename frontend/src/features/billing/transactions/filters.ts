import { CauseKind, TransactionSort, TransactionType, type ListTransactionsData } from '@/api/types.gen'
import { dayIn } from '@/lib/time-zones'
import { validDay } from '@/lib/day-span'
import { validId } from '@/lib/url-filters'

/** The periods. Named periods move with the date; own days are fixed. */
export const PERIODS = ['month', 'lastMonth', 'thirtyDays', 'twelveMonths', 'own'] as const
export type Period = (typeof PERIODS)[number]

/** The filters, as in the URL. */
export interface TransactionFilters {
  period: Period
  /** Days of the user's calendar, both included: `2026-11-21`. */
  from: string
  to: string
  type: TransactionType | null
  model: string | null
  cause: CauseKind | null
  assistant: string | null
  failed: boolean
  unpriced: boolean
  sort: TransactionSort
}

export type Change = (changes: Record<string, string | null>) => void

export const TYPES = Object.values(TransactionType)
export const CAUSES = Object.values(CauseKind)
export const SORTS = Object.values(TransactionSort)

const ONE_DAY = 86_400_000 // ms
const LONGEST_MODEL = 100

/** Return the filters in the URL; unknown values are ignored. */
export function readFilters(filter: (name: string) => string, timeZone: string, now = new Date()): TransactionFilters {
  const today = dayIn(timeZone, now)
  const [from, to] = [validDay(filter('from')), validDay(filter('to'))]
  const named = PERIODS.find((option) => option === filter('period')) ?? 'month'
  const period = from && to && from <= to ? 'own' : named === 'own' ? 'month' : named
  return {
    period,
    ...(period === 'own' && from && to ? { from, to } : daysOf(period, today)),
    type: TYPES.find((option) => option === filter('type')) ?? null,
    model: filter('model').slice(0, LONGEST_MODEL) || null,
    cause: CAUSES.find((option) => option === filter('cause')) ?? null,
    assistant: validId(filter('assistant')),
    failed: filter('failed') !== '',
    unpriced: filter('unpriced') !== '',
    sort: SORTS.find((option) => option === filter('sort')) ?? TransactionSort.LATEST,
  }
}

/** Return the days of a period as of today. */
export function daysOf(period: Exclude<Period, 'own'> | Period, today: string): { from: string; to: string } {
  const first = `${today.slice(0, 8)}01`
  switch (period) {
    case 'lastMonth': {
      const last = plus(first, -1)
      return { from: `${last.slice(0, 8)}01`, to: last }
    }
    case 'thirtyDays':
      return { from: plus(today, -29), to: today }
    case 'twelveMonths':
      return { from: plus(today, -364), to: today }
    default:
      return { from: first, to: today }
  }
}

export const asQuery = (filters: TransactionFilters): NonNullable<ListTransactionsData['query']> => ({
  from: filters.from,
  to: filters.to,
  type: filters.type ? [filters.type] : undefined,
  model: filters.model ? [filters.model] : undefined,
  cause: filters.cause ? [filters.cause] : undefined,
  assistant_id: filters.assistant ?? undefined,
  failed: filters.failed || undefined,
  unpriced: filters.unpriced || undefined,
})

/** Return whether a filter other than the period is set. */
export const narrows = ({ type, model, cause, assistant, failed, unpriced }: TransactionFilters): boolean =>
  Boolean(type ?? model ?? cause ?? assistant) || failed || unpriced

/** The changes that remove the filters from the URL, except period and order. */
export const NO_FILTERS = Object.fromEntries(
  ['type', 'model', 'cause', 'assistant', 'failed', 'unpriced'].map((name) => [name, null]),
)

const plus = (day: string, days: number) => new Date(Date.parse(day) + days * ONE_DAY).toISOString().slice(0, 10)
