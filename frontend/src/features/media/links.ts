import { paths } from '@/lib/paths'

export const imagePath = (imageId: string) => `${paths.mediaGallery}?image=${imageId}`

/** Return the path to the designer: for the pages of a carousel, for a new card, or starting from a saved design or a card. */
export const designerPath = (from = 'new') => `${paths.mediaGallery}?designer=${from}`
