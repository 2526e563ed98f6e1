import { useTranslation } from 'react-i18next'
import { shortened } from '@/lib/cut-text'

/** The characters that search results usually show; longer texts are allowed and cut. */
export const SHOWN_TITLE = 60
export const SHOWN_DESCRIPTION = 160

interface SearchResultProps {
  /** The website's address. */
  address: string | undefined
  slug: string
  title: string
  description: string
}

/** A preview of the article in search results. */
export function SearchResult({ address, slug, title, description }: SearchResultProps) {
  const { t } = useTranslation(['common', 'articles'])
  const site = address?.replace(/^https?:\/\//, '').replace(/\/+$/, '')
  return (
    <div className="search-result" role="group" aria-label={t('articles:editor.search')}>
      <span className="search-address">{[site, slug].filter(Boolean).join(' › ')}</span>
      <span className="search-title">{shortened(title, SHOWN_TITLE) || t('articles:noTitle')}</span>
      {description && <span className="search-text">{shortened(description, SHOWN_DESCRIPTION)}</span>}
    </div>
  )
}
