import type { CardIn, MarketTemplateOut } from '@/api/types.gen'
import { cardWords } from '@/lib/card-settings'

/** Return the sample as a card; null if it is not a card or has no text. */
export function sampleCard({ sample_text, card }: Pick<MarketTemplateOut, 'sample_text' | 'card'>): CardIn | null {
  const words = cardWords(sample_text)
  return words.headline && card ? { ...words, settings: card } : null
}
