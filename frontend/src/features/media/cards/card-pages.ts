import { CardSequenceSaveInSchema } from '@/api/schemas.gen'
import { PageKind, type CardPageModel, type CardSequenceOut } from '@/api/types.gen'
import { completeSettings, type CardSettings } from '@/lib/card-settings'

/** A page of a carousel in the designer; `key` stays with the page when the order changes. */
export interface CardPage extends Required<CardPageModel> {
  key: number
}

export interface Carousel {
  pages: CardPage[]
  settings: CardSettings
  /** Decides colours that the settings leave open. */
  seed: string
}

export const MAX_PAGES = CardSequenceSaveInSchema.properties.pages.maxItems
export const MIN_INNER = 2
const MAX_INNER = MAX_PAGES - 2

/** The kinds of the pages between the cover and the end card. */
export const INNER_KINDS = [PageKind.POINT, PageKind.NUMBER, PageKind.QUOTE, PageKind.LIST] as const

let lastKey = 0

export const newPage = (kind: PageKind, page: Partial<CardPageModel> = {}): CardPage => ({
  headline: '',
  text: '',
  alt: '',
  ...page,
  kind,
  key: ++lastKey,
})

/** Return a carousel with a cover, two empty pages and an end card. */
export const newCarousel = (): Carousel => ({
  pages: [PageKind.COVER, PageKind.POINT, PageKind.POINT, PageKind.CALL_TO_ACTION].map((kind) => newPage(kind)),
  settings: completeSettings({ size: 'portrait' }),
  seed: '',
})

/** Return a saved carousel as it is edited. */
export const carouselOf = ({ pages, settings, seed }: CardSequenceOut): Carousel => ({
  pages: pages.map((page) => newPage(page.kind, page)),
  settings: completeSettings(settings),
  seed,
})

export const isInner = ({ kind }: CardPage) => kind !== PageKind.COVER && kind !== PageKind.CALL_TO_ACTION

export const canAddPage = (pages: readonly CardPage[]) => pages.filter(isInner).length < MAX_INNER

export const hasEndCard = (pages: readonly CardPage[]) => pages.at(-1)?.kind === PageKind.CALL_TO_ACTION

/** Return the pages with a new one after the page at `index`, but never before the cover or after the end card. */
export function withPage(pages: readonly CardPage[], page: CardPage, index: number): CardPage[] {
  if (page.kind === PageKind.CALL_TO_ACTION) return [...pages, page]
  const last = hasEndCard(pages) ? pages.length - 1 : pages.length
  return pages.toSpliced(Math.min(Math.max(index + 1, 1), last), 0, page)
}

/** Return whether the page at `index` can change places with the one `by` further. */
export function canMove(pages: readonly CardPage[], index: number, by: 1 | -1): boolean {
  const [page, other] = [pages[index], pages[index + by]]
  return page !== undefined && other !== undefined && isInner(page) && isInner(other)
}

export function movePage(pages: readonly CardPage[], index: number, by: 1 | -1): CardPage[] {
  const page = pages[index]
  return page && canMove(pages, index, by) ? pages.toSpliced(index, 1).toSpliced(index + by, 0, page) : [...pages]
}

/** Return whether the page may be removed: the cover stays, and two pages between cover and end card. */
export const canRemove = (pages: readonly CardPage[], page: CardPage) =>
  page.kind === PageKind.CALL_TO_ACTION || (isInner(page) && pages.filter(isInner).length > MIN_INNER)

/** Return the carousel as the server takes it. */
export const carouselBody = ({ pages, settings, seed }: Carousel) => ({
  pages: pages.map(({ kind, headline, text, alt }) => ({ kind, headline, text, alt })),
  settings: { ...settings, layout: null },
  seed,
})

export const sameCarousel = (a: Carousel, b: Carousel) => JSON.stringify(carouselBody(a)) === JSON.stringify(carouselBody(b))
