import { Button, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PostSort, type PostFact, type PostStatus, type WebsiteOut } from '@/api/types.gen'
import { FactIcon } from '@/components/fact-icon'
import { FilterChip } from '@/components/filter-chip'
import { SearchField } from '@/components/search-field'
import { StatusIcon } from '@/components/status'
import { FACTS, narrows, NO_FILTERS, SORTS, STATUSES, type Filters } from './filters'

/** The facts that always have a chip. */
const OFFERED: readonly PostFact[] = ['waiting', 'held']

interface FilterBarProps {
  filters: Filters
  /** The number of articles per status. */
  counts: Record<PostStatus, number> | undefined
  /** Absent for a list of one website or assistant. */
  websites: readonly WebsiteOut[] | undefined
  change: (changes: Record<string, string | null>) => void
}

/** The filters and the order of a list of articles. */
export function FilterBar({ filters, counts, websites = [], change }: FilterBarProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { statuses, facts } = filters
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div className="filters">
      <SearchField label={t('articles:search')} value={filters.search} onSearch={(text) => change({ search: text })} />
      <FilterChip selected={statuses.length === 0} count={total ?? 0} onClick={() => change({ status: null })}>
        {t('articles:all')}
      </FilterChip>
      {STATUSES.map((status) => (
        <FilterChip
          key={status}
          selected={statuses.includes(status)}
          count={counts?.[status] ?? 0}
          onClick={() => change({ status: toggled(STATUSES, statuses, status) })}
        >
          <StatusIcon status={status} size={14} />
          {t(`status.${status}`)}
        </FilterChip>
      ))}
      {FACTS.filter((fact) => OFFERED.includes(fact) || facts.includes(fact)).map((fact) => (
        <FilterChip key={fact} selected={facts.includes(fact)} onClick={() => change({ state: toggled(FACTS, facts, fact) })}>
          <FactIcon fact={fact} />
          {t(fact === 'not_deleted' ? 'articles:notTakenDown' : `status.${fact}`)}
        </FilterChip>
      ))}
      {websites.length > 1 && (
        <Select
          className="list-select"
          aria-label={t('articles:website')}
          placeholder={t('articles:anyWebsite')}
          clearable
          clearButtonProps={{ 'aria-label': t('articles:anyWebsite') }}
          data={websites.map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.website}
          onChange={(value) => change({ website: value })}
        />
      )}
      <Select
        className="list-select wide"
        aria-label={t('articles:sort')}
        data={SORTS.map((value) => ({ value, label: t(`articles:sorts.${value}`) }))}
        value={filters.sort}
        onChange={(value) => change({ sort: value === PostSort.UPDATED_LATEST ? null : value })}
      />
      {narrows(filters) && (
        <Button size="xs" variant="subtle" onClick={() => change(NO_FILTERS)}>
          {t('clear')}
        </Button>
      )}
    </div>
  )
}

/** Return the chosen values for the address, after `value` was chosen or no longer chosen. */
const toggled = <Value extends string>(all: readonly Value[], chosen: readonly Value[], value: Value): string | null =>
  all.filter((option) => (option === value) !== chosen.includes(option)).join(',') || null
