import { useMatches } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { useEffect } from 'react'
import { markDialogsReady } from '@/lib/dialogs'

/** What speaks to users over every page: toasts, and questions before something is done. */
export function Messages() {
  // on phones the buttons that one decides with are at the bottom
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const)
  // the effect of a child comes first: it listens by now
  useEffect(markDialogsReady, [])
  return (
    <>
      <Notifications position={position} />
      <ModalsProvider />
    </>
  )
}
