import { useComputedColorScheme } from '@mantine/core'
import { useLanguage } from '@/i18n/use-format'
import sizes from './screen-sizes.json'
import './home.css'

interface ScreenProps {
  name: 'live' | 'topics' | 'schedule' | 'proof'
  alt: string
  /** In sight at once, so that it is not put off. */
  first?: boolean
}

/**
 * A picture of the app itself, in the language and the colours that the visitor has chosen, with two pixels for each
 * of the page's. All of them, and their sizes, are made by `scripts/screenshots.mjs`.
 */
export function Screen({ name, alt, first = false }: ScreenProps) {
  const language = useLanguage()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const file = `${name}.${language}.${scheme}` as const
  return (
    <img
      className="screen"
      src={`/screens/${file}.webp`}
      alt={alt}
      {...sizes[file]}
      loading={first ? 'eager' : 'lazy'}
      decoding="async"
      fetchPriority={first ? 'high' : 'auto'}
    />
  )
}
