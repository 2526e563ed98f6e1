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

/** Whether the screen follows the server, and if not, since when it stands still. */
export const useLiveState = (): LiveState => useSyncExternalStore(watch, () => state)
