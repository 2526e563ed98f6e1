import type { TFunction } from 'i18next'
import type { PauseOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import { reasonText } from '@/lib/problems'
import type { ContentKind } from '@/lib/content-kind'

/**
 * Return the state of a pause: `Paused until tomorrow at 9:00`, `Paused`, `Paused: The subscription has ended.`,
 * `Paused itself: …`.
 */
export function pauseText(t: TFunction<['common', 'errors', 'runs']>, format: Format, pause: PauseOut | null, now: Date, written: ContentKind): string {
  if (pause?.reason === 'subscription_ended') return t('runs:live.pausedFor', { reason: reasonText(t, pause.reason, written) })
  if (pause?.reason) return t('runs:live.pausedItself', { reason: reasonText(t, pause.reason, written) })
  if (pause?.until) return t('runs:live.pausedUntil', { when: format.momentInSentence(pause.until, now) })
  return t('runs:live.paused')
}
