import { useTranslation } from 'react-i18next'
import { shortened } from '@/lib/cut-text'

/** Characters that a page of search results mostly shows; more is allowed, and cut there. */
export const SHOWN_TITLE = 60
export const SHOWN_DESCRIPTION = 160

interface SearchResultProps {
  /** Of the website. */
  address: string | undefined
  slug: string
  title: string
  description: string
}

/** How a search engine may show it. */
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
