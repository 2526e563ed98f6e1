import { notificationsStore } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'
import { AfterIdle } from '@/components/after-idle'
import { isDialogAsked, watchDialogs } from '@/lib/dialogs'

const loadMessages = async () => (await import('./messages')).Messages

const watchToasts = (listener: () => void) => {
  const stop = notificationsStore.subscribe(listener)
  return () => void stop()
}
const isToastWaiting = () => notificationsStore.getState().notifications.length > 0

/** Toasts and questions: nothing is said in the moment in which a page comes, and what is said before waits. */
export function LaterMessages() {
  const toast = useSyncExternalStore(watchToasts, isToastWaiting)
  const dialog = useSyncExternalStore(watchDialogs, isDialogAsked)
  return <AfterIdle load={loadMessages} needed={toast || dialog} />
}
