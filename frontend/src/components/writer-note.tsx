import { useTranslation } from 'react-i18next'
import { useDemoWriter } from './use-demo-writer'

interface WriterNoteProps {
  image?: boolean
  /** The images are pages of a carousel: a text model divides the post, and cards are drawn. */
  isCarousel?: boolean
}

/** Says which writer is used, and that a model may cost money. Empty until loaded. */
export function WriterNote({ image = false, isCarousel = false }: WriterNoteProps) {
  const { t } = useTranslation(['common', 'writing'])
  const isDemo = useDemoWriter()
  if (isDemo === undefined) return null
  if (isCarousel) return t(isDemo ? 'writing:cardFree' : 'writing:carouselCost')
  if (isDemo && image) return null
  return t(isDemo ? 'writing:demoCost' : 'writing:cost')
}
