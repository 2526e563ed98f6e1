import { Button, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface FilterDrawerProps {
  opened: boolean
  onClose: () => void
  title: string
  /** How many items the current filters find. */
  countText: string
  onClear: () => void
  children: ReactNode
}

/** A drawer for filters that need too much space on the page. Each applies at once to the list behind. */
export function FilterDrawer({ opened, onClose, title, countText, onClear, children }: FilterDrawerProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={380}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className="stack">
        {children}
        <div className="dialog-foot">
          <Button variant="default" onClick={onClear}>
            {t('clearFilters')}
          </Button>
          <Button onClick={onClose}>{countText}</Button>
        </div>
      </div>
    </Drawer>
  )
}
