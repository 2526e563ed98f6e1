import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MarketSort, Origin, TemplateType } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { lazyPart } from '@/components/lazy-part'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { TagFilter } from '@/components/tag-filter'
import { isLanguage, languages } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useUrlFilters } from '@/lib/url-filters'
import { marketTagsQuery, useMarketplace } from './api'
import { MarketCard } from './market-card'
import './marketplace.css'

const MarketPreview = lazyPart(async () => (await import('./market-preview')).MarketPreview)

const TYPES = Object.values(TemplateType)
const ORIGINS = Object.values(Origin)
const SORTS = Object.values(MarketSort)
const ANY = 'any'

/** The list of public templates. `next`: the button shown after a copy is made. */
export function MarketList({ next }: { next?: ReactNode }) {
  const { t } = useTranslation(['common', 'marketplace'])
  const { filter, change } = useUrlFilters()
  const userLanguage = useLanguage()
  const search = filter('search')
  const type = TYPES.find((option) => option === filter('type')) ?? null
  const origin = ORIGINS.find((option) => option === filter('origin')) ?? null
  const tag = filter('tag')
  const sort = SORTS.find((option) => option === filter('sort')) ?? 'popular'
  // the user's own language is the default, so it is not in the URL
  const languageParam = filter('language')
  const language = languageParam === ANY ? null : isLanguage(languageParam) ? languageParam : userLanguage
  const shown = { search, type, language, origin }
  const market = useMarketplace({ ...shown, tag: tag || null, sort })
  const tags = useQuery(marketTagsQuery(shown))
  const filtered = [search, type, origin, tag, languageParam].some(Boolean)
  const clear = () => change({ search: null, type: null, origin: null, tag: null, language: null })
  // if the user's language has no match, offer all languages
  const widen = () => change({ search: null, type: null, origin: null, tag: null, language: ANY })

  if (market.isPending) return <RowSkeletons />
  if (market.isError && !market.data)
    return <Failure title={t('marketplace:listFailed')} problem={market.error} onRetry={() => void market.refetch()} />
  const templates = market.data.pages.flatMap((page) => page.items)
  const total = market.data.pages.at(-1)?.total ?? 0
  return (
    <>
      <div className="filters">
        <SearchField label={t('marketplace:search')} value={search} onSearch={(text) => change({ search: text })} />
        <FilterChip selected={type === null && origin === null} onClick={() => change({ type: null, origin: null })}>
          {t('marketplace:all')}
        </FilterChip>
        {TYPES.map((value) => (
          <FilterChip key={value} selected={value === type} onClick={() => change({ type: value === type ? null : value })}>
            {t(`marketplace:types.${value}`)}
          </FilterChip>
        ))}
        {ORIGINS.map((value) => (
          <FilterChip key={value} selected={value === origin} onClick={() => change({ origin: value === origin ? null : value })}>
            {t(`marketplace:origins.${value}`)}
          </FilterChip>
        ))}
        <Select
          className="list-select"
          aria-label={t('marketplace:language')}
          data={[
            { value: ANY, label: t('marketplace:anyLanguage') },
            ...languages.map((value) => ({ value, label: t(`languages.${value}`) })),
          ]}
          value={language ?? ANY}
          onChange={(value) => change({ language: value === userLanguage ? null : value })}
        />
        <TagFilter tags={tags.data} value={tag || null} onChange={(value) => change({ tag: value })} />
        <Select
          className="list-select"
          aria-label={t('marketplace:sort')}
          data={SORTS.map((value) => ({ value, label: t(`marketplace:sorts.${value}`) }))}
          value={sort}
          onChange={(value) => change({ sort: value === 'popular' ? null : value })}
        />
        {filtered && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {t('clear')}
          </Button>
        )}
      </div>
      {templates.length === 0 ? (
        <NoMatch
          text={search ? t('marketplace:noMatch', { search }) : t('marketplace:noMatchFilters')}
          onClear={filtered ? clear : widen}
        />
      ) : (
        <ul className="market-grid" aria-label={t('marketplace:title')}>
          {templates.map((template) => (
            <MarketCard key={template.id} template={template} onTag={(value) => change({ tag: value })} />
          ))}
        </ul>
      )}
      <ListFoot hasMore={market.hasNextPage} loading={market.isFetchingNextPage} onMore={() => void market.fetchNextPage()}>
        {t('marketplace:count', { count: total })}
      </ListFoot>
      <MarketPreview
        opened={filter('template') !== ''}
        next={next}
        templateId={filter('template')}
        onClose={() => change({ template: null })}
      />
    </>
  )
}
