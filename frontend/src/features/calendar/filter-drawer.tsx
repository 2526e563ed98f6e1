import { Button } from '@mantine/core'
import { Drawer } from '@/components/dialog'
import { useTranslation } from '@/i18n/translation'
import { Filters, NO_FILTERS, type FiltersProps } from './filters'

interface FilterDrawerProps extends FiltersProps {
  opened: boolean
  onClose: () => void
  /** How many entries fit, as the filters are now. */
  total: number
}

/** The filters where a row of them would push the calendar off the screen. Each acts at once: the calendar is behind it. */
export function FilterDrawer({ opened, onClose, total, filters, change }: FilterDrawerProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={380}
      title={t('calendar.filtersTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className="stack cal-filters">
        <Filters filters={filters} change={change} labelled />
        <div className="dialog-foot">
          <Button variant="default" onClick={() => change(NO_FILTERS)}>
            {t('common.clearFilters')}
          </Button>
          <Button onClick={onClose}>{t('calendar.showFound', { count: total })}</Button>
        </div>
      </div>
    </Drawer>
  )
}
