import { createPath, resolve, type Location } from './address'

export type Action = 'POP' | 'PUSH' | 'REPLACE'

/** Entries in their order, and the one where one is. */
export interface History {
  readonly location: Location
  push: (location: Location) => void
  replace: (location: Location) => void
  go: (delta: number) => void
  /**
   * Going back or forward has happened once this is told; `delta` says by how much, and null that it is not known.
   * Answers how to stop listening.
   */
  listen: (moved: (delta: number | null) => void) => () => void
}

/** What an entry of the browser's history holds. */
interface Entry {
  usr: unknown
  key: string
  idx: number
}

export const newKey = () => Math.random().toString(36).slice(2, 10)

export function browserHistory(): History {
  const entry = () => history.state as Partial<Entry> | null
  if (entry()?.idx === undefined) history.replaceState({ ...entry(), idx: 0 }, '')
  let index = entry()?.idx ?? 0
  const written = ({ state, key }: Location): Entry => ({ usr: state, key, idx: index })
  return {
    get location() {
      const { pathname, search, hash } = location
      return { pathname, search, hash, state: entry()?.usr ?? null, key: entry()?.key ?? 'default' }
    },
    push(to) {
      index += 1
      try {
        history.pushState(written(to), '', createPath(to))
      } catch (error) {
        if (error instanceof DOMException && error.name === 'DataCloneError') throw error
        location.assign(createPath(to)) // some browsers allow only so many entries in half a minute
      }
    },
    replace(to) {
      history.replaceState(written(to), '', createPath(to))
    },
    go: (delta) => history.go(delta),
    listen(moved) {
      const onPop = () => {
        const now = entry()?.idx
        const delta = now === undefined ? null : now - index // an anchor that somebody typed has no number
        index = now ?? index
        moved(delta)
      }
      addEventListener('popstate', onPop)
      return () => removeEventListener('popstate', onPop)
    },
  }
}

/** For tests: nothing of it is in the address bar. */
export function memoryHistory(addresses: readonly string[] = ['/']): History {
  const start = { pathname: '/', search: '', hash: '' }
  const entries: Location[] = addresses.map((to, index) => ({ ...resolve(to, start), state: null, key: index ? newKey() : 'default' }))
  let index = entries.length - 1
  const listeners = new Set<(delta: number) => void>()
  return {
    get location() {
      return entries[index] as Location
    },
    push(to) {
      index += 1
      entries.splice(index, entries.length, to)
    },
    replace(to) {
      entries[index] = to
    },
    go(delta) {
      const next = Math.min(Math.max(index + delta, 0), entries.length - 1)
      const moved = next - index
      index = next
      for (const listener of [...listeners]) listener(moved)
    },
    listen(moved) {
      listeners.add(moved)
      return () => listeners.delete(moved)
    },
  }
}
