import { useRef, useState } from 'react'

/**
 * Return the selected rows and what changes the selection, by row or by range. Rows that are not shown any more are not
 * selected.
 */
export function useSelection(shown: readonly string[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(null)
  const chosen = shown.filter((id) => ids.has(id))
  const chosenIds: ReadonlySet<string> = new Set(chosen)

  const toggle = (id: string, range = false) => {
    const on = !chosen.includes(id)
    const [from, to] = [range && anchor.current ? shown.indexOf(anchor.current) : -1, shown.indexOf(id)]
    const rowIds = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
    // all rows of a range get the new state of its last row
    const next = new Set(chosen)
    for (const rowId of rowIds) {
      if (on) next.add(rowId)
      else next.delete(rowId)
    }
    anchor.current = id
    setIds(next)
  }
  return {
    ids: chosenIds,
    toggle,
    /** Add the rows from the last selected one to this one. */
    extend: (id: string) => {
      const from = anchor.current ? shown.indexOf(anchor.current) : -1
      const to = shown.indexOf(id)
      const range = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
      setIds(new Set([...chosen, ...range]))
    },
    begin: (id: string) => {
      anchor.current = id
    },
    set: (next: readonly string[]) => setIds(new Set(next)),
    clear: () => setIds(new Set()),
  }
}

export type Selection = ReturnType<typeof useSelection>
