import { useSyncExternalStore } from 'react'
import type { LiveState } from './live'

let state: LiveState = { status: 'connecting' }
const watchers = new Set<() => void>()

export function setLiveState(next: LiveState): void {
  state = next
  for (const changed of watchers) changed()
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Return whether live updates arrive, and if not, since when. */
export const useLiveState = (): LiveState => useSyncExternalStore(watch, () => state)
