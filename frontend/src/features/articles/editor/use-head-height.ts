import { useCallback } from 'react'

/** How high the head of the page is that stays in sight: as many lines as its title takes. */
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
