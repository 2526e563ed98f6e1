import type { CardIn, MarketTemplateOut } from '@/api/types.gen'
import { cardWords } from '@/lib/card-settings'

/** Return the sample as a card, of a carousel the title; null if it is not a card or has no text. */
export function sampleCard({ sample_text, card, is_carousel }: Pick<MarketTemplateOut, 'sample_text' | 'card' | 'is_carousel'>): CardIn | null {
  const words = cardWords(is_carousel ? titleOf(sample_text) : sample_text)
  return words.headline && card ? { ...words, settings: card } : null
}

/** Return the cover's headline of a carousel's sample: its first line, before the post. */
export const titleOf = (sample: string) => sample.split('\n', 1)[0] ?? ''
