import { useComputedColorScheme } from '@mantine/core'
import { useLanguage } from '@/i18n/locale'
import sizes from './screen-sizes.json'
import './home.css'

interface ScreenProps {
  name: 'topics' | 'schedule' | 'proof'
  alt: string
}

/**
 * A screenshot of the app in the visitor's language and colour scheme, at double resolution. Phones get a screenshot of
 * a phone, since a shrunken one is unreadable. `scripts/screenshots.mjs` makes all of them, and their sizes.
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
