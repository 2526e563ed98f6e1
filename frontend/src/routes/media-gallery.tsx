import { Library } from '@/features/media/library'
import { useSearchParams } from '@/lib/router/hooks'

/** The images; with `?designer` the designer of cards, with `?image` the details of one. */
export function MediaGalleryRoute() {
  const [search] = useSearchParams()
  return <Library designing={search.get('designer')} />
}
