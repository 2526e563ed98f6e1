import type { CardIn, MarketTemplateOut } from '@/api/types.gen'
import { cardWords } from '@/lib/card-settings'

/** The sample as a card. None for what is no card, or has no words. */
export function sampleCard({ sample_text, card }: Pick<MarketTemplateOut, 'sample_text' | 'card'>): CardIn | null {
  const words = cardWords(sample_text)
  return words.headline && card ? { ...words, settings: card } : null
}
