import type { TFunction } from 'i18next'
import type { ErrorCode, RunOut } from '@/api/types.gen'
import { paramsOf, problemText, type Problem } from '@/lib/problems'
import { contentKindOf } from '@/lib/content-kind'

/** Return why a run ended. For a missed run, use the text that promises no later run. */
export function runReasonText(t: TFunction<['common', 'errors']>, { reason, state, is_article }: Pick<RunOut, 'reason' | 'state' | 'is_article'>): string {
  const written = contentKindOf({ is_article })
  const missedParams: Problem['params'] = state === 'missed' ? { problem: written === 'article' ? 'missed_article' : 'missed' } : {}
  return problemText(t, { code: (reason ?? 'internal') as ErrorCode, params: { ...missedParams, ...paramsOf(written) } })
}
