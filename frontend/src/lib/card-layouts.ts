import type { TFunction } from 'i18next'

/** A name of the server as people read it: `source_sans` is Source sans. */
export const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** The name of a card's layout; one of a newer server shows by its own. */
export const layoutName = (t: TFunction, layout: string) =>
  t(`cards.layouts.${layout}` as 'cards.layouts.number', { defaultValue: words(layout) })
