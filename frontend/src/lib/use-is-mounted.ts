import { useEffect, useRef } from 'react'

/** Whether the component is still on the page: what an answer says once it is gone has to be said elsewhere. */
export function useIsMounted(): () => boolean {
  const there = useRef(false)
  useEffect(() => {
    there.current = true
    return () => {
      there.current = false
    }
  }, [])
  return () => there.current
}
