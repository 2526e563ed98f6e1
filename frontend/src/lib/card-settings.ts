import { CardFont, ImageRatio, type CardPagesIn, type CardSettingsModel } from '@/api/types.gen'
import { CardInSchema, CardPagesInSchema, CardSaveInSchema } from '@/api/schemas.gen'
import { cutText } from './cut-text'
import { keyOf, withValues } from './template-segments'

export type CardSettings = Required<CardSettingsModel>

/** Return the settings with every value, in one order, so that two of them can be compared as text. */
export const completeSettings = (settings: CardSettingsModel = {}): CardSettings => ({
  layout: settings.layout ?? null,
  size: settings.size ?? ImageRatio.SQUARE,
  font: settings.font ?? CardFont.SCHIBSTED,
  ground: settings.ground ?? null,
  ink: settings.ink ?? null,
  accent: settings.accent ?? null,
  logo_id: settings.logo_id ?? null,
  foot: settings.foot ?? '',
  brand_id: settings.brand_id ?? null,
})

export const sameSettings = (a: CardSettings, b: CardSettings) => JSON.stringify(a) === JSON.stringify(b)

/** The colours of a card, which a palette has as well. */
export const COLOURS = ['ground', 'ink', 'accent'] as const

export type Colours = Pick<CardSettings, (typeof COLOURS)[number]>

/** No own colours: the template, the brand or the text decides. */
export const AUTOMATIC: Colours = { ground: null, ink: null, accent: null }

export const sameColours = (a: Colours, b: Colours): boolean => COLOURS.every((part) => a[part] === b[part])

/** Return the typed colour as `#rrggbb`; null if it is not a colour. */
export function colourOf(typed: string): string | null {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed.trim()) ?? []
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  return long ? `#${long.toLowerCase()}` : null
}

export interface CardWords {
  headline: string
  text: string
}

/** Return what a card says for a filled text: the first line is the headline, the rest the text, both as long as a card takes. */
export function cardWords(filled: string): CardWords {
  const { headline, text } = CardInSchema.properties
  const [first = '', ...rest] = filled.trim().split('\n')
  return { headline: cutText(first.trim(), headline.maxLength), text: cutText(rest.join('\n').trim(), text.maxLength) }
}

/**
 * Return what becomes the pages of a carousel: the content is divided, and the template's text without it is the headline
 * of the cover, or else the topic.
 */
export function pagesText(body: string, valueOf: (name: string) => string | undefined): Required<CardPagesIn> {
  const { text, title } = CardPagesInSchema.properties
  const blank = (name: string) => (keyOf(name) === 'content' ? ' ' : valueOf(name))
  const headline = oneLine(withValues(body, blank)) || oneLine(valueOf('Topic') ?? '')
  return { text: cutText(body && (valueOf('Content') ?? ''), text.maxLength), title: cutText(headline, title.maxLength) }
}

const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ')

/** Return the parts as one text, with `between` after a part that does not end in a punctuation mark. */
const joined = (parts: string[], between: string) =>
  parts.filter(Boolean).reduce((all, part) => (all ? all + (/[.!?:;,…]$/.test(all) ? ' ' : between) + part : part), '')

/** Return the alt text of a card: all that can be read on it. */
export const altOf = ({ headline, text }: CardWords) =>
  cutText(
    joined([headline, text].map((words) => joined(words.trim().split(/\s*\n\s*/), ', ')), '. '),
    CardSaveInSchema.properties.alt.maxLength,
  )
