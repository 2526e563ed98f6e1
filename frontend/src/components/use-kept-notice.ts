import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'

/** Going to another page keeps the changes and says `message`; leaving the app, which cannot keep them, asks. */
export function useKeptNotice(changed: boolean, message: string): void {
  const latest = useRef<string>(null)
  useEffect(() => {
    latest.current = changed ? message : null
  }, [changed, message])
  useEffect(() => {
    const page = location.pathname + location.search
    return () => {
      // still the same address: React only tries out that this effect can be repeated
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
