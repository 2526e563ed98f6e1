import { useRef, useState } from 'react'

/** Which rows are chosen, one by one or from one to another. What is not shown any more is not chosen either. */
export function useSelection(shown: readonly string[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(null)
  const chosen = shown.filter((id) => ids.has(id))
  const chosenIds: ReadonlySet<string> = new Set(chosen)

  const toggle = (id: string, range = false) => {
    const on = !chosen.includes(id)
    const [from, to] = [range && anchor.current ? shown.indexOf(anchor.current) : -1, shown.indexOf(id)]
    const meant = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
    // a range does to all of it what was just done to its end
    const next = new Set(chosen)
    for (const one of meant) {
      if (on) next.add(one)
      else next.delete(one)
    }
    anchor.current = id
    setIds(next)
  }
  return {
    ids: chosenIds,
    toggle,
    /** From where the last one was chosen to this one, on. */
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
