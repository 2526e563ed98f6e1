import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { useEffect, type ReactNode } from 'react'
import { dialogsAreDrawn } from '@/lib/dialogs'

/** What speaks to users over every page: toasts, and questions before something is done. */
export function Messages() {
  return (
    <>
      <Notifications />
      <Questions />
    </>
  )
}

export function Questions({ children }: { children?: ReactNode }) {
  useEffect(dialogsAreDrawn, [])
  return <ModalsProvider>{children}</ModalsProvider>
}
