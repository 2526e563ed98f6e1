import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { CardIn, MarketTemplateOut } from '@/api/types.gen'
import { aspectRatio } from '@/lib/image-ratio'
import { PageSwipe } from '@/components/page-swipe'
import { sampleCardQuery, sampleCarouselQuery } from './api'
import { sampleCard } from './sample'

interface SamplePictureProps {
  template: MarketTemplateOut
  className: string
  alt: string
}

/** The sample picture of a template: its owner's image, else a card with the sample's text. */
export function SamplePicture({ template, className, alt }: SamplePictureProps) {
  const words = sampleCard(template)
  if (template.sample_url) return <img className={className} src={template.sample_url} alt={alt} />
  if (words) return <SampleCard words={words} className={className} alt={alt} />
  return null
}

export const hasPicture = (template: MarketTemplateOut) => template.sample_url !== null || sampleCard(template) !== null

/** The pages of a carousel's sample; its title as a card until they are there. */
export function SampleCarousel({ template, alt }: { template: MarketTemplateOut; alt: string }) {
  const { sample_text, card } = template
  const pages = useQuery(sampleCarouselQuery(sample_text, card ?? {}))
  if (!pages.data) return <SamplePicture template={template} className="market-picture" alt={alt} />
  return (
    <PageSwipe
      pages={pages.data.map(({ image, mime, ...page }, index) => ({ ...page, media_id: `${index}`, url: `data:${mime};base64,${image}` }))}
    />
  )
}

/** The sample card, loaded when it is visible. */
function SampleCard({ words, className, alt }: { words: CardIn; className: string; alt: string }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const card = useQuery({ ...sampleCardQuery(words), enabled: inViewport })
  if (card.isError) return <div className="market-post">{[words.headline, words.text].join('\n').trim()}</div>
  if (!card.data)
    return (
      <div ref={ref} className={`${className} market-waiting`} style={{ aspectRatio: aspectRatio(words.settings?.size ?? 'square') }} aria-busy="true" />
    )
  const { mime, image, width, height } = card.data
  return <img className={className} src={`data:${mime};base64,${image}`} width={width} height={height} alt={alt} />
}
