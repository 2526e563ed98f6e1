import type { TFunction } from 'i18next'
import { CardLayout } from '@/api/types.gen'
import { layoutName } from '@/lib/card-words'

/** Return the name of a call's model; cards and the demo writer have their own names. */
export function modelName(t: TFunction<['common', 'billing', 'cards']>, { provider, model }: { provider: string; model: string }): string {
  if (provider === 'cards') return t('billing:transactions.card', { layout: layoutName(t, model) })
  return provider === 'demo' ? t('billing:transactions.demoWriter') : model
}

const LAYOUTS: readonly string[] = Object.values(CardLayout)
const DEMO_WRITER = 'demo-writer'

/** Return the name of a model from its id. */
export const nameOfModel = (t: TFunction<['common', 'billing', 'cards']>, model: string): string =>
  modelName(t, { model, provider: LAYOUTS.includes(model) ? 'cards' : model === DEMO_WRITER ? 'demo' : '' })
