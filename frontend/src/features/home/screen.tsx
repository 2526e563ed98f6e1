import { useComputedColorScheme } from '@mantine/core'
import { useLanguage } from '@/i18n/locale'
import sizes from './screen-sizes.json'
import './home.css'

interface ScreenProps {
  name: 'topics' | 'schedule' | 'proof'
  alt: string
}

/**
 * A picture of the app itself, in the language and the colours that the visitor has chosen, with two pixels for each
 * of the page's. Phones get one of the app on a phone, since a shrunken one cannot be read. All of them, and their
 * sizes, are made by `scripts/screenshots.mjs`.
 */
export function Screen({ name, alt }: ScreenProps) {
  const language = useLanguage()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const wide = `${name}.${language}.${scheme}` as const
  const phone = `${wide}.phone` as const
  return (
    <picture>
      <source media="(max-width: 48em)" srcSet={`/screens/${phone}.webp`} {...sizes[phone]} />
      <img className="screen" src={`/screens/${wide}.webp`} alt={alt} {...sizes[wide]} loading="lazy" decoding="async" />
    </picture>
  )
}
