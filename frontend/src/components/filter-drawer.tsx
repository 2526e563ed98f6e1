import { Button, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface FilterDrawerProps {
  opened: boolean
  onClose: () => void
  title: string
  /** Says how many are found, as the filters are now. */
  found: string
  onClear: () => void
  children: ReactNode
}

/** Filters that would take too much of the page. Each acts at once: what it narrows is behind it. */
export function FilterDrawer({ opened, onClose, title, found, onClear, children }: FilterDrawerProps) {
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
          <Button onClick={onClose}>{found}</Button>
        </div>
      </div>
    </Drawer>
  )
}
