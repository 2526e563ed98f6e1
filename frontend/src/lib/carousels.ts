import type { CarouselPlace } from '@/api/types.gen'
import { paths } from './paths'

/** What the designer starts from for the pages of a carousel. */
export const CAROUSEL = 'carousel'

/**
 * Return the path to the designer with all pages of the carousel that the page was saved with. `postId`: the post that gets
 * the pages when they are saved.
 */
export const carouselPath = (pageId: string, postId?: string) =>
  `${paths.mediaGallery}?${new URLSearchParams({ designer: CAROUSEL, page: pageId, ...(postId && { post: postId }) })}`

interface Page {
  media_id: string
  carousel: CarouselPlace | null
}

/**
 * Return the id of a page whose carousel is that of most of the images. A page that looks the same in two carousels opens
 * the one that was saved last, so that single pages may lead to another one.
 */
export function pageToEdit(images: readonly Page[]): string | undefined {
  const sequenceOf = ({ carousel }: Page) => carousel?.sequence_id ?? undefined
  const countOf = (page: Page) => images.filter((other) => sequenceOf(other) === sequenceOf(page)).length
  const [first] = images.filter(sequenceOf).toSorted((a, b) => countOf(b) - countOf(a))
  return first?.media_id
}
