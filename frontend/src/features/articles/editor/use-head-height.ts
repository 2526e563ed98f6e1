import { useCallback } from 'react'

/** Return the height of the sticky page header, which depends on the lines of its title. */
export function useHeadHeight() {
  return useCallback((form: HTMLFormElement | null) => {
    const head = form?.querySelector<HTMLElement>('.phead')
    if (!form || !head) return
    const place = form.closest<HTMLElement>('.sheet') ?? form
    const sized = new ResizeObserver(() => place.style.setProperty('--article-head', `${head.offsetHeight}px`))
    sized.observe(head)
    return () => {
      sized.disconnect()
      place.style.removeProperty('--article-head')
    }
  }, [])
}
