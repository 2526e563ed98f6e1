import { useEffect, useRef } from 'react'

/** Return a function that tells whether the component is still on the page. After that, an answer needs a notice elsewhere. */
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
