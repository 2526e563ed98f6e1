import { useEffect, useRef, useState } from 'react'

/** For what hangs on a button and is loaded later: it opens by itself where it is there because of a press. */
export function useOpenedByPress(pressed: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const wanted = useRef(pressed)
  useEffect(() => {
    if (!wanted.current) return
    // it has taken the place of the button that was pressed; opened a moment later, it knows what to come back to
    button.current?.focus()
    const frame = requestAnimationFrame(() => {
      wanted.current = false
      setOpened(true)
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return { button, opened, setOpened }
}
