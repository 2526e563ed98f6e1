import { useCallback, useState } from 'react'

export type Expansion = ReturnType<typeof useExpansion>

/** State of which topics are closed, by their keys. New topics are open. */
export function useExpansion() {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const setOpen = useCallback(
    (keys: readonly string[], open: boolean) =>
      setClosed((before) => {
        const next = new Set(before)
        for (const key of keys) if (open) next.delete(key)
          else next.add(key)
        return next
      }),
    [],
  )
  const closeOnly = useCallback((keys: readonly string[]) => setClosed(new Set(keys)), [])
  return { closed, setOpen, closeOnly }
}
