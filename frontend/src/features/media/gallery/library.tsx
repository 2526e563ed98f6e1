import { useLayoutEffect, useRef } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { MAIN_ID } from '@/components/skip-link'
import { EVERY_KIND } from '@/features/media/file-kinds'
import { Gallery } from './gallery'
import '@/features/media/media.css'
import { CAROUSEL } from '@/lib/carousels'
import { useUploads } from '@/features/media/uploads/use-uploads'

const CardDesigner = lazyPart(
  async () => (await import('@/features/media/cards/card-designer')).CardDesigner,
  <RowSkeletons rows={6} />,
)

const CarouselDesigner = lazyPart(
  async () => (await import('@/features/media/cards/carousel-designer')).CarouselDesigner,
  <RowSkeletons rows={6} />,
)

interface LibraryProps {
  /** What the designer starts from: `new`, `carousel`, a saved design or a card; null shows the gallery. */
  designing: string | null
  /** The id of a page whose carousel is edited. */
  page: string | null
  /** The id of the post that gets the edited carousel. */
  post: string | null
}

/** Scroll to the top and focus the new part on a change between gallery and designer. */
function useArrival(designing: string | null) {
  const top = useRef<HTMLDivElement>(null)
  const shown = useRef(designing)
  useLayoutEffect(() => {
    if (shown.current === designing) return
    shown.current = designing
    top.current?.scrollIntoView()
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
  }, [designing])
  return top
}

/** The gallery or the designer of cards. Uploads continue across the change. */
export function Library({ designing, page, post }: LibraryProps) {
  const uploads = useUploads(EVERY_KIND)
  const top = useArrival(designing)
  return (
    <div className="media-top" ref={top}>
      {designing === CAROUSEL ? (
        <CarouselDesigner key={page} from={page} post={post} />
      ) : designing ? (
        <CardDesigner key={designing} from={designing} />
      ) : (
        <Gallery uploads={uploads} />
      )}
    </div>
  )
}
