import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { RowSkeletons } from '@/components/skeletons'
import { useTimeZone } from '@/i18n/use-format'
import { useUrlFilters } from '@/lib/url-filters'
import { useTotals, useTransactions } from './api'
import { FilterBar, SortSelect } from './filter-bar'
import { asQuery, narrows, NO_FILTERS, readFilters } from './filters'
import { Totals } from './totals'
import { TransactionTable } from './transaction-table'
import './transactions.css'

/** The sums of the filtered calls, and the list of calls. */
export function TransactionList() {
  const { t } = useTranslation(['common', 'billing'])
  const { filter, change } = useUrlFilters()
  const filters = readFilters(filter, useTimeZone())
  const query = asQuery(filters)
  const totals = useTotals(query)
  const calls = useTransactions(query, filters.sort)
  const rows = calls.data?.pages.flatMap((page) => page.items) ?? []
  const total = calls.data?.pages.at(-1)?.total ?? 0

  if (calls.isPending) return <RowSkeletons rows={6} />
  if (calls.isError && !calls.data)
    return <Failure title={t('billing:transactions.listFailed')} problem={calls.error} onRetry={() => void calls.refetch()} />
  return (
    <>
      <FilterBar filters={filters} change={change} />
      {rows.length === 0 ? (
        narrows(filters) ? (
          <NoMatch text={t('billing:transactions.noMatch')} onClear={() => change(NO_FILTERS)} />
        ) : (
          <EmptyState title={t('billing:transactions.emptyTitle')} text={t('billing:transactions.emptyText')} />
        )
      ) : (
        <>
          {totals.data && <Totals totals={totals.data} change={change} />}
          {totals.isError && !totals.data && (
            <Failure title={t('billing:transactions.sumsFailed')} problem={totals.error} onRetry={() => void totals.refetch()} />
          )}
          <div className="calls-head">
            <h2>{t('billing:transactions.each')}</h2>
            <SortSelect filters={filters} change={change} />
          </div>
          <TransactionTable rows={rows} />
          <ListFoot hasMore={calls.hasNextPage} loading={calls.isFetchingNextPage} onMore={() => void calls.fetchNextPage()}>
            {t('billing:transactions.count', { shown: rows.length, count: total })}
          </ListFoot>
        </>
      )}
    </>
  )
}
