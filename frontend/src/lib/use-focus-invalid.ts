import { useEffect, type RefObject } from 'react'

/** Focus the first invalid field in the element when a problem arrives. */
export function useFocusInvalid(element: RefObject<HTMLElement | null>, problem: unknown): void {
  useEffect(() => {
    if (problem) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [element, problem])
}
