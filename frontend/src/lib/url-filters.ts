import { useSearchParams } from 'react-router'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Return the text if it has the form of an id, else null. */
export const validId = (text: string): string | null => (ID.test(text) ? text : null)

/** Filters, tabs and dialogs live in the address. An empty value removes its parameter. */
export function useUrlFilters() {
  const [params, setParams] = useSearchParams()
  /** `replace: false` where the way back is to lead to what was before. */
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
  // the server takes no NUL in any text
  return { filter: (name: string) => (params.get(name) ?? '').replaceAll('\0', ''), change }
}
