import type { CardIn, MarketTemplateOut } from '@/api/types.gen'
import { cutText } from '@/lib/cut-text'

const HEADLINE = 200
const TEXT = 1000

/** The sample as a card: its first line is the headline. None for what is no card, or has no words. */
export function sampleCard({ sample_text, card }: Pick<MarketTemplateOut, 'sample_text' | 'card'>): CardIn | null {
  const [headline = '', ...rest] = sample_text.trim().split('\n')
  if (!headline || !card) return null
  return { headline: cutText(headline, HEADLINE), text: cutText(rest.join('\n').trim(), TEXT), settings: card }
}
