import type { ComponentProps } from 'react'
import { later } from '@/components/later'
import { pagePart } from '@/components/page-part'
import type { GalleryParts } from '@/features/articles/article-text'

/** Images are chosen in the gallery, dropped anywhere on the page, or pasted, into the text too. */
export const articleGallery: GalleryParts = {
  Picker: later<ComponentProps<GalleryParts['Picker']>>(
    async () =>
      (await import('@/features/media/image-picker')).ImagePicker,
  ),
  Uploads: pagePart(async () => (await import('./article-uploads')).ArticleUploads),
}
