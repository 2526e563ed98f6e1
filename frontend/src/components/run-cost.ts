import type { RunDetail } from '@/api/types.gen'
import type { Format } from '@/i18n/format'

export type Spent = Pick<RunDetail, 'cost_micros' | 'cost_known' | 'currency'>

/**
 * Return the cost of a run's models as text: 0.00 if free, `> …` if only a part is known. Return `none` if the run used
 * no model, `unknown` if no cost is known.
 */
export function runCost<None, Unknown>(format: Format, { cost_micros, cost_known, currency }: Spent, none: None, unknown: Unknown): string | None | Unknown {
  if (cost_known) return cost_micros === null ? none : format.money(cost_micros, currency)
  return cost_micros ? `> ${format.money(cost_micros, currency)}` : unknown
}
