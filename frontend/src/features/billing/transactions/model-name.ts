import type { TFunction } from 'i18next'
import { CardLayout } from '@/api/types.gen'
import { layoutName } from '@/lib/card-words'

/** What made it, as people read it: cards and the demo writer are no models. */
export function modelName(t: TFunction<['common', 'billing', 'cards']>, { provider, model }: { provider: string; model: string }): string {
  if (provider === 'cards') return t('billing:transactions.card', { layout: layoutName(t, model) })
  return provider === 'demo' ? t('billing:transactions.demoWriter') : model
}

const LAYOUTS: readonly string[] = Object.values(CardLayout)
const DEMO_WRITER = 'demo-writer'

/** The same where its name alone is known. */
export const nameOfModel = (t: TFunction<['common', 'billing', 'cards']>, model: string): string =>
  modelName(t, { model, provider: LAYOUTS.includes(model) ? 'cards' : model === DEMO_WRITER ? 'demo' : '' })
