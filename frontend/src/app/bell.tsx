import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { useFocusReturn } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readWaitingOptions } from '@/api/@tanstack/react-query.gen'
import { meQuery } from '@/features/users/session/api'

const MOST = 99

/** Loaded when it is first opened. */
const NotificationDrawer = lazy(() => import('@/features/notifications/notification-drawer'))

function useUnread(): number {
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...readWaitingOptions(), enabled: me?.is_email_verified ?? false })
  return data?.notifications ?? 0
}

/** Return the number of unread notifications as text; empty for none. */
function useUnreadText(unread: number): string {
  const { t } = useTranslation(['common', 'navigation'])
  if (unread === 0) return ''
  return unread > MOST ? t('navigation:manyUnread') : t('navigation:unread', { count: unread })
}

interface BellProps {
  opened: boolean
  onOpen: () => void
  size: number
}

/** The bell button: one in the side navigation, one in the top bar of phones; only one is visible. */
export function Bell({ opened, onOpen, size }: BellProps) {
  const { t } = useTranslation(['common', 'navigation'])
  const unread = useUnread()
  const text = useUnreadText(unread)
  const name = t('navigation:notifications')
  return (
    <ActionIcon
      className="bell"
      size={size}
      aria-label={text ? `${name}: ${text}` : name}
      aria-haspopup="dialog"
      aria-expanded={opened}
      title={name}
      onClick={onOpen}
    >
      <IconBell size={19} stroke={1.8} aria-hidden />
      {unread > 0 && <b aria-hidden>{unread > MOST ? `${MOST}+` : unread}</b>}
    </ActionIcon>
  )
}

interface NotificationsProps {
  opened: boolean
  onClose: () => void
}

/** The drawer that the bell opens, and the unread count for screen readers. */
export function BellNotifications({ opened, onClose }: NotificationsProps) {
  const text = useUnreadText(useUnread())
  const [isRequested, setRequested] = useState(false)
  if (opened && !isRequested) setRequested(true)
  // at the first opening the drawer is not mounted yet, so it cannot return the focus itself
  useFocusReturn({ opened })
  return (
    <>
      <VisuallyHidden role="status">{text}</VisuallyHidden>
      {isRequested && (
        <Suspense>
          <NotificationDrawer opened={opened} onClose={onClose} />
        </Suspense>
      )}
    </>
  )
}
