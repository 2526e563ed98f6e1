import type { PauseOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import type { TFunction } from '@/i18n/translate'
import { reasonText } from '@/lib/problems'
import type { Written } from '@/lib/written'

/** `Paused until tomorrow at 9:00`, `Paused`, `Paused: The subscription has ended.`, `Paused itself: …`. */
export function pauseText(t: TFunction, format: Format, pause: PauseOut | null, now: Date, written: Written): string {
  if (pause?.reason === 'subscription_ended') return t('liveRun.pausedFor', { reason: reasonText(t, pause.reason, written) })
  if (pause?.reason) return t('liveRun.pausedItself', { reason: reasonText(t, pause.reason, written) })
  if (pause?.until) return t('liveRun.pausedUntil', { when: format.momentInSentence(pause.until, now) })
  return t('liveRun.paused')
}
