import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DayField } from '@/components/day-field'
import { FilterChip } from '@/components/filter-chip'
import { allAssistantsQuery } from '@/lib/unpaged-lists'
import { modelsQuery } from './api'
import { CAUSES, narrows, NO_FILTERS, PERIODS, SORTS, TYPES, type Change, type TransactionFilters } from './filters'
import { nameOfModel } from './model-name'

/** The choice of the order, which does not change the sums. */
export function SortSelect({ filters, change }: { filters: TransactionFilters; change: Change }) {
  const { t } = useTranslation(['common', 'billing'])
  return (
    <NativeSelect
      aria-label={t('billing:transactions.sort')}
      value={filters.sort}
      data={SORTS.map((sort) => ({ value: sort, label: t(`billing:transactions.sorts.${sort}`) }))}
      onChange={({ currentTarget: { value } }) => change({ sort: value === 'latest' ? null : value })}
    />
  )
}

/** The filters; the period comes first, since all figures are of its days. */
export function FilterBar({ filters, change }: { filters: TransactionFilters; change: Change }) {
  const { t } = useTranslation(['common', 'billing', 'cards'])
  const models = useQuery(modelsQuery)
  const assistants = useQuery(allAssistantsQuery)
  // a model in the URL is always an option, also before the others are loaded
  const modelNames = [...new Set([...(models.data ?? []), ...(filters.model ? [filters.model] : [])])]
  const named = assistants.data?.items ?? []
  const unnamed = filters.assistant && !named.some(({ id }) => id === filters.assistant)
  const isOwnPeriod = filters.period === 'own'
  return (
    <div className="filters">
      <NativeSelect
        className="list-select"
        aria-label={t('billing:transactions.period')}
        value={filters.period}
        data={PERIODS.map((period) => ({ value: period, label: t(`billing:transactions.periods.${period}`) }))}
        onChange={({ currentTarget: { value } }) =>
          change(
            value === 'own'
              ? { period: null, from: filters.from, to: filters.to }
              : { period: value === 'month' ? null : value, from: null, to: null },
          )
        }
      />
      {isOwnPeriod && (
        <>
          <DayField aria-label={t('billing:transactions.from')} value={filters.from} max={filters.to} onDay={(from) => from && change({ from })} />
          <DayField aria-label={t('billing:transactions.to')} value={filters.to} min={filters.from} onDay={(to) => to && change({ to })} />
        </>
      )}
      <FilterChip
        selected={!filters.type && !filters.failed && !filters.unpriced}
        onClick={() => change({ type: null, failed: null, unpriced: null })}
      >
        {t('billing:transactions.all')}
      </FilterChip>
      {TYPES.map((type) => (
        <FilterChip key={type} selected={filters.type === type} onClick={() => change({ type: filters.type === type ? null : type })}>
          {t(`billing:transactions.types.${type}`)}
        </FilterChip>
      ))}
      <FilterChip selected={filters.failed} onClick={() => change({ failed: filters.failed ? null : 'yes' })}>
        {t('billing:transactions.onlyFailed')}
      </FilterChip>
      <FilterChip selected={filters.unpriced} onClick={() => change({ unpriced: filters.unpriced ? null : 'yes' })}>
        {t('billing:transactions.onlyUnpriced')}
      </FilterChip>
      <NativeSelect
        className="list-select"
        aria-label={t('billing:transactions.model')}
        value={filters.model ?? ''}
        data={[{ value: '', label: t('billing:transactions.anyModel') }, ...modelNames.map((model) => ({ value: model, label: nameOfModel(t, model) }))]}
        onChange={({ currentTarget: { value } }) => change({ model: value || null })}
      />
      <NativeSelect
        className="list-select"
        aria-label={t('billing:transactions.assistant')}
        value={filters.assistant ?? ''}
        data={[
          { value: '', label: t('billing:transactions.anyAssistant') },
          ...named.map(({ id, name }) => ({ value: id, label: name })),
          ...(unnamed && filters.assistant ? [{ value: filters.assistant, label: t('billing:transactions.gone') }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => change({ assistant: value || null })}
      />
      <NativeSelect
        className="list-select"
        aria-label={t('billing:transactions.cause')}
        value={filters.cause ?? ''}
        data={[
          { value: '', label: t('billing:transactions.anyCause') },
          ...CAUSES.map((cause) => ({ value: cause, label: t(`billing:transactions.causes.${cause}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => change({ cause: value || null })}
      />
      {narrows(filters) && (
        <Button variant="subtle" size="xs" onClick={() => change(NO_FILTERS)}>
          {t('clear')}
        </Button>
      )}
    </div>
  )
}
