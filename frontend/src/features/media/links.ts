import { paths } from '@/lib/paths'

export const imagePath = (imageId: string) => `${paths.mediaGallery}?image=${imageId}`

/** What the designer starts from for the pages of a carousel. */
export const CAROUSEL = 'carousel'

/** Return the path to the designer: for the pages of a carousel, for a new card, or starting from a saved design or a card. */
export const designerPath = (from = 'new') => `${paths.mediaGallery}?designer=${from}`
