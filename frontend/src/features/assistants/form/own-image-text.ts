import type { TFunction } from 'i18next'

/** Return which of the assistant's own images was used. */
export function ownImageText(t: TFunction<['common', 'runs']>, facts: Record<string, string | number | boolean | null>): string {
  const { name, order, images, left_out } = facts
  const parts = [
    typeof name === 'string' && name ? t('runs:live.ownImage', { name }) : t('runs:live.ownImageUnnamed'),
    [
      (order === 'in_turn' || order === 'random') && t(`runs:live.ownOrders.${order}`),
      typeof images === 'number' && t('runs:live.ownOf', { count: images }),
    ]
      .filter(Boolean)
      .join(', '),
    typeof left_out === 'number' && left_out > 0 && t('runs:live.ownLeftOut', { count: left_out }),
  ]
  return parts.filter(Boolean).join(' · ')
}
