import type { TFunction } from 'i18next'
import { problemText, type Problem } from '@/lib/problems'

/** Why a step, a delivery or a run failed: its code is one of the server's, told like the problems of calls. */
export const reasonText = (t: TFunction, code: string) => problemText(t, { code: code as Problem['code'], params: {} })

/** The same while it is tried again by itself: it asks nothing of the person. */
export function retryText(t: TFunction, code: string): string {
  switch (code) {
    case 'ambiguous_outcome':
    case 'model_unavailable':
    case 'provider_unavailable':
    case 'rate_limited':
    case 'storage_unavailable':
    case 'internal':
      return t(`liveRun.retryReason.${code}`)
    default:
      return t('liveRun.retrying')
  }
}
