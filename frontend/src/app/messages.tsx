import { useMatches } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { useEffect } from 'react'
import { markDialogsReady } from '@/lib/dialogs'

/** Hosts of toasts and dialogs for all pages. */
export function Messages() {
  // on phones the main buttons are at the bottom
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const)
  // effects of children run first, so ModalsProvider already listens
  useEffect(markDialogsReady, [])
  return (
    <>
      <Notifications position={position} />
      <ModalsProvider />
    </>
  )
}
