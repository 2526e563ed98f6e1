import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface TopicDrawerProps {
  opened: boolean
  onClose: () => void
  /** Called when the drawer is open. */
  onOpened: () => void
  children: ReactNode
}

/** The chosen topic in a drawer, on screens without room beside the tree. */
export function TopicDrawer({ opened, onClose, onOpened, children }: TopicDrawerProps) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      // it would take the focus from the title of a new topic
      returnFocus={false}
      onEnterTransitionEnd={onOpened}
      position="bottom"
      size="85%"
      title={t('topics:topic')}
    >
      {children}
    </Drawer>
  )
}
