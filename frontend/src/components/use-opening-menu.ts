import { useEffect, useRef, useState } from 'react'

/** State of a menu that is loaded after the click on its button, and opens at once. */
export function useOpeningMenu() {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // this button replaces the clicked one: focus it, and open the menu a frame later, so that focus returns here
    target.current?.focus()
    const frame = requestAnimationFrame(() => setOpened(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return { target, opened, setOpened }
}
