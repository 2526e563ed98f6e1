import { useTranslation } from 'react-i18next'
import { FilterDrawer } from '@/components/filter-drawer'
import { Filters, NO_FILTERS, type FiltersProps } from './filters'

interface CalendarFilterDrawerProps extends FiltersProps {
  opened: boolean
  onClose: () => void
  /** The number of entries that match the current filters. */
  total: number
}

/** The filters on narrow screens, where a row of filters has no room. */
export function CalendarFilterDrawer({ opened, onClose, total, filters, change }: CalendarFilterDrawerProps) {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <FilterDrawer
      opened={opened}
      onClose={onClose}
      title={t('calendar:filtersTitle')}
      countText={t('calendar:showFound', { count: total })}
      onClear={() => change(NO_FILTERS)}
    >
      <div className="stack cal-filters">
        <Filters filters={filters} change={change} labelled />
      </div>
    </FilterDrawer>
  )
}
