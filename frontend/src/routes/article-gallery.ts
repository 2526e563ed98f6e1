import type { ComponentProps } from 'react'
import { lazyPart } from '@/components/lazy-part'
import type { GalleryParts } from '@/features/articles/editor/article-text'

/** Images are chosen in the gallery, dropped anywhere on the page, or pasted, into the text too. */
export const articleGallery: GalleryParts = {
  Picker: lazyPart<ComponentProps<GalleryParts['Picker']>>(
    async () =>
      (await import('@/features/media/pickers/image-picker')).ImagePicker,
  ),
  Uploads: lazyPart(async () => (await import('./article-uploads')).ArticleUploads),
}
