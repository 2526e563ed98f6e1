import { CardFont, ImageSize, type CardIn, type CardSettingsModel } from '@/api/types.gen'
import { cutText } from '@/lib/cut-text'

export type CardSettings = Required<CardSettingsModel>

/** With every value there, in one order, so that two of them can be compared as text. */
export function completeSettings(settings: CardSettingsModel = {}): CardSettings {
  return {
    layout: settings.layout ?? null,
    size: settings.size ?? ImageSize.SQUARE,
    font: settings.font ?? CardFont.SCHIBSTED,
    ground: settings.ground ?? null,
    ink: settings.ink ?? null,
    accent: settings.accent ?? null,
    logo_id: settings.logo_id ?? null,
    foot: settings.foot ?? '',
  }
}

export interface CardWords {
  headline: string
  text: string
}

export interface Card extends CardWords {
  settings: CardSettings
}

export const newCard: Card = { headline: '', text: '', settings: completeSettings() }

export const completeCard = ({ headline, text = '', settings }: CardIn): Card => ({
  headline,
  text,
  settings: completeSettings(settings),
})

export const sameSettings = (one: CardSettings, other: CardSettings) => JSON.stringify(one) === JSON.stringify(other)

export const sameCard = (one: Card, other: Card) =>
  one.headline === other.headline && one.text === other.text && sameSettings(one.settings, other.settings)

const LONGEST_ALT = 1000 // characters

/** With `between` where a part does not end in a mark of its own. */
const joined = (parts: string[], between: string) =>
  parts.filter(Boolean).reduce((all, part) => (all ? all + (/[.!?:;,…]$/.test(all) ? ' ' : between) + part : part), '')

/** All that can be read on the card. */
export const altOf = ({ headline, text }: CardWords) =>
  cutText(joined([headline, text].map((words) => joined(words.trim().split(/\s*\n\s*/), ', ')), '. '), LONGEST_ALT)

/** `#rrggbb` from what was typed; null while it is no colour. */
export function colourOf(typed: string): string | null {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed.trim()) ?? []
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  return long ? `#${long.toLowerCase()}` : null
}
