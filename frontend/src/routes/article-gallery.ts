import type { ComponentProps } from 'react'
import { later } from '@/components/later'
import { pagePart } from '@/components/page-part'
import type { GalleryParts } from '@/features/articles/article-text'
import { withTexts } from '@/i18n'

/** Images are chosen in the gallery, dropped anywhere on the page, or pasted, into the text too. */
export const articleGallery: GalleryParts = {
  Picker: later<ComponentProps<GalleryParts['Picker']>>(
    async () =>
      (await withTexts(import('@/features/media/image-picker'), 'media', 'own-images', 'pictures', 'uploads')).ImagePicker,
  ),
  Uploads: pagePart(async () => (await withTexts(import('./article-uploads'), 'pictures', 'uploads')).ArticleUploads),
}
