import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'

/** Show `message` on going to another page, which keeps the changes; ask before leaving the app, which loses them. */
export function useDraftNotice(changed: boolean, message: string): void {
  const latest = useRef<string>(null)
  useEffect(() => {
    latest.current = changed ? message : null
  }, [changed, message])
  useEffect(() => {
    const page = location.pathname + location.search
    return () => {
      // same address: a clean-up by React's strict mode
      const left = page !== location.pathname + location.search
      if (left && latest.current) notifications.show({ message: latest.current })
    }
  }, [])
  useEffect(() => {
    if (!changed) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [changed])
}
