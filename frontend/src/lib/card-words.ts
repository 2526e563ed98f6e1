import type { TFunction } from 'i18next'
import type { CardNote } from '@/api/types.gen'

/** Return a server's name as words: `source_sans` becomes Source sans. */
export const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** Return the name of a card's layout, or of a kind of page in a carousel; an unknown one, of a newer server, as words. */
export const layoutName = (t: TFunction<['common', 'cards']>, layout: string) =>
  t([`cards:layouts.${layout}` as 'cards:layouts.number', `cards:carousel.kinds.${layout}` as 'cards:carousel.kinds.point'], {
    defaultValue: words(layout),
  })

export const fontName = (t: TFunction<['common', 'cards']>, font: string) =>
  t(`cards:fonts.${font}` as 'cards:fonts.schibsted', { defaultValue: words(font) })

export const paletteName = (t: TFunction<['common', 'cards']>, palette: string) =>
  t(`cards:palettes.${palette}` as 'cards:palettes.petrol', { defaultValue: words(palette) })

/** Return how a card was changed to fit; for an unknown note, of a newer server, a general text. */
export const noteText = (t: TFunction<['common', 'cards']>, note: CardNote) =>
  t([`cards:notes.${note}` as 'cards:notes.other', 'cards:notes.other'])
