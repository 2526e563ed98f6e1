import { useEffect, useSyncExternalStore } from 'react'

const queues = new Map<object, boolean>()
const watchers = new Set<() => void>()
/** How often a command was refused because of the uploads that run. */
let refusals = 0

function watch(changed: () => void) {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

function set(queue: object, busy: boolean | undefined) {
  if (busy === undefined) queues.delete(queue)
  else queues.set(queue, busy)
  if (!isUploading()) refusals = 0
  tell()
}

function tell() {
  for (const changed of watchers) changed()
}

const isUploading = () => [...queues.values()].includes(true)

/** Let the page know of a queue, and whether it uploads files. */
export function useRunning(queue: object, busy: boolean): void {
  useEffect(() => set(queue, busy), [queue, busy])
  useEffect(() => () => set(queue, undefined), [queue])
}

/** Return whether a part of the page can upload files. */
export const useHasUploads = (): boolean => useSyncExternalStore(watch, () => queues.size > 0)

/** Return whether a part of the page uploads files. */
export const useIsUploading = (): boolean => useSyncExternalStore(watch, isUploading)

/** Return whether a part of the page uploads files, for a command that needs them. If so, the uploads say it. */
export function refuseWhileUploading(): boolean {
  if (!isUploading()) return false
  refusals += 1
  tell()
  return true
}

/** Return how often a command was refused because of the uploads that run. */
export const useRefusals = (): number => useSyncExternalStore(watch, () => refusals)
