import { useEffect, useRef } from 'react'

/** Return a function that tells whether the component is still mounted, or needs to report a result elsewhere. */
export function useIsMounted(): () => boolean {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return () => mounted.current
}
