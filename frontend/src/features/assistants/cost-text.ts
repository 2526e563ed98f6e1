import type { RunOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import type { TFunction } from '@/i18n/translate'

/** What a run used: tokens and cost. Nothing where nothing was used; a cost that is not known is said so. */
export function costText(t: TFunction, format: Format, run: RunOut): string[] {
  const tokens = (run.input_tokens ?? 0) + (run.output_tokens ?? 0)
  const texts: string[] = []
  if (run.cost_micros) texts.push(format.money(run.cost_micros, run.currency))
  else if (!run.cost_known && tokens > 0) texts.push(t('liveRun.costUnknown'))
  if (tokens > 0) texts.push(t('liveRun.tokens', { count: tokens }))
  return texts
}
