import type { TFunction } from '@/i18n/translate'

/** Which of an assistant's own images it was. */
export function ownImageText(t: TFunction, facts: Record<string, string | number | boolean | null>): string {
  const { name, order, images, left_out } = facts
  const parts = [
    typeof name === 'string' && name ? t('liveRun.ownImage', { name }) : t('liveRun.ownImageUnnamed'),
    [
      (order === 'in_turn' || order === 'random') && t(`liveRun.ownOrders.${order}`),
      typeof images === 'number' && t('liveRun.ownOf', { count: images }),
    ]
      .filter(Boolean)
      .join(', '),
    typeof left_out === 'number' && left_out > 0 && t('liveRun.ownLeftOut', { count: left_out }),
  ]
  return parts.filter(Boolean).join(' · ')
}
