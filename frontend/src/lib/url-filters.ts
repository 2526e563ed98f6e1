import { useSearchParams } from 'react-router'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Return the text if it has the form of an id, else null. */
export const validId = (text: string): string | null => (ID.test(text) ? text : null)

/** Read and change filters, tabs and dialogs in the query string. An empty value removes its parameter. */
export function useUrlFilters() {
  const [params, setParams] = useSearchParams()
  /** `replace: false` adds a history entry, so that Back undoes the change. */
  const change = (changes: Record<string, string | null>, { replace } = { replace: true }) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace },
    )
  // the server refuses texts with NUL
  return { filter: (name: string) => (params.get(name) ?? '').replaceAll('\0', ''), change }
}
