import type { TFunction } from 'i18next'
import type { ErrorCode, RunOut } from '@/api/types.gen'
import { paramsOf, problemText, type Problem } from '@/lib/problems'
import { contentKindOf } from '@/lib/content-kind'

/** Why a run ended as it did. Of one that was missed nothing is made up later, whatever else its reason promises. */
export function runReasonText(t: TFunction<['common', 'errors']>, { reason, state, is_article }: Pick<RunOut, 'reason' | 'state' | 'is_article'>): string {
  const written = contentKindOf({ is_article })
  const missed: Problem['params'] = state === 'missed' ? { problem: written === 'article' ? 'missed_article' : 'missed' } : {}
  return problemText(t, { code: (reason ?? 'internal') as ErrorCode, params: { ...missed, ...paramsOf(written) } })
}
