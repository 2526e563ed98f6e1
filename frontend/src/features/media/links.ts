import { paths } from '@/lib/paths'

export const imagePath = (imageId: string) => `${paths.mediaGallery}?image=${imageId}`

/** A new card; with the id of a saved look or of a card: one that starts from it. */
export const designerPath = (from = 'new') => `${paths.mediaGallery}?designer=${from}`
