import { useSearchParams } from 'react-router'
import { Library } from '@/features/media/gallery/library'

/** The images; with `?designer` the designer of cards, with `?image` the details of one. */
export function MediaGalleryRoute() {
  const [search] = useSearchParams()
  return <Library designing={search.get('designer')} page={search.get('page')} post={search.get('post')} />
}
