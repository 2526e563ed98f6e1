import { useEffect, useSyncExternalStore } from 'react'

const queues = new Map<object, boolean>()
const watchers = new Set<() => void>()

function watch(changed: () => void) {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

function set(queue: object, busy: boolean | undefined) {
  if (busy === undefined) queues.delete(queue)
  else queues.set(queue, busy)
  for (const changed of watchers) changed()
}

/** Let the page know of a queue, and whether it uploads files. */
export function useRunning(queue: object, busy: boolean): void {
  useEffect(() => set(queue, busy), [queue, busy])
  useEffect(() => () => set(queue, undefined), [queue])
}

/** Return whether a part of the page can upload files. */
export const useHasUploads = (): boolean => useSyncExternalStore(watch, () => queues.size > 0)

/** Return whether a part of the page uploads files. */
export const useIsUploading = (): boolean => useSyncExternalStore(watch, () => [...queues.values()].includes(true))
