import type { CardIn } from '@/api/types.gen'
import { completeSettings, sameSettings, type CardSettings, type CardWords } from '@/lib/card-settings'

export interface Card extends CardWords {
  settings: CardSettings
}

export const newCard: Card = { headline: '', text: '', settings: completeSettings() }

export const completeCard = ({ headline, text = '', settings }: CardIn): Card => ({
  headline,
  text,
  settings: completeSettings(settings),
})

export const sameCard = (a: Card, b: Card) =>
  a.headline === b.headline && a.text === b.text && sameSettings(a.settings, b.settings)
