import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface TopicDrawerProps {
  opened: boolean
  onClose: () => void
  /** Called once the drawer has moved in. */
  onOpened: () => void
  children: ReactNode
}

/** The chosen topic on screens that have no room for it beside the tree. */
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
