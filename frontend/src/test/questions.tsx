import { ModalsProvider } from '@mantine/modals'
import { useEffect, type ReactNode } from 'react'
import { markDialogsReady } from '@/lib/dialogs'

/** Where a question is drawn that a part of a page asks. */
export function Questions({ children }: { children?: ReactNode }) {
  useEffect(markDialogsReady, [])
  return <ModalsProvider>{children}</ModalsProvider>
}
