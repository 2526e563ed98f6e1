import { cutText } from '@/lib/cut-text'

const HEADLINE = 200 // characters that a card takes
const TEXT = 1_000

/** What the card says: its first line large, the rest below it. */
export interface CardWords {
  headline: string
  text: string
}

export function cardWords(filled: string): CardWords {
  const [headline = '', ...rest] = filled.trim().split('\n')
  return { headline: cutText(headline.trim(), HEADLINE), text: cutText(rest.join('\n').trim(), TEXT) }
}
