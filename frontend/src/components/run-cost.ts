import type { RunDetail } from '@/api/types.gen'
import type { Format } from '@/i18n/format'

export type Spent = Pick<RunDetail, 'cost_micros' | 'cost_known' | 'currency'>

/**
 * What the models of a run cost, wherever it is told: what cost nothing cost 0.00, and of what is known in part it cost
 * more. `none` where it used no model, `unknown` where nothing is known of it.
 */
export function runCost<None, Unknown>(format: Format, { cost_micros, cost_known, currency }: Spent, none: None, unknown: Unknown): string | None | Unknown {
  if (cost_known) return cost_micros === null ? none : format.money(cost_micros, currency)
  return cost_micros ? `> ${format.money(cost_micros, currency)}` : unknown
}
