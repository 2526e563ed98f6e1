import type { TFunction } from 'i18next'
import type { RunOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import { runCost } from '@/components/run-cost'

/** Return the tokens and the cost of a run as texts; empty if it used no model. An unknown cost is named as unknown. */
export function costText(t: TFunction<['common', 'runs']>, format: Format, run: RunOut): string[] {
  const tokens = (run.input_tokens ?? 0) + (run.output_tokens ?? 0)
  const cost = runCost(format, run, null, t('runs:live.costUnknown'))
  return [cost, tokens > 0 ? t('runs:live.tokens', { count: tokens }) : null].filter((text) => text !== null)
}
