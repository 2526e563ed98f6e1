import { useEffect, useRef } from 'react'

/** How long an answer can be taken back; the server does not have it until then. */
export const HELD_FOR = 10_000 // ms

/**
 * Return what holds a value back before `send` gets it: for a given time, until the next value, or until the user leaves
 * the page.
 */
export function useHeld<Value>(send: (value: Value) => void) {
  const held = useRef<{ value: Value; timer: ReturnType<typeof setTimeout> } | null>(null)
  const takeBack = (): Value | null => {
    const { value = null, timer } = held.current ?? {}
    clearTimeout(timer)
    held.current = null
    return value
  }
  const flush = () => {
    const value = takeBack()
    if (value !== null) send(value)
  }
  /** Hold the value back for so many ms; with 0, it is sent at once. */
  const hold = (value: Value, heldFor: number) => {
    flush()
    held.current = { value, timer: setTimeout(() => latest.current(), heldFor) }
    if (heldFor === 0) flush()
  }

  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => {
    const leave = () => latest.current()
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide) // on phones it may be the last that is heard of a page
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [])
  return { hold, takeBack, flush }
}
