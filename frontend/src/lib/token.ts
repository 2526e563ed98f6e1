import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys'

const watchers = new Set<() => void>()

export const readToken = () => localStorage.getItem(storageKeys.token)

/** Return a name of the session that reveals little of the token; undefined if nobody is signed in. */
export const sessionName = (token = readToken()) => token?.slice(-8)

export function saveToken(token: string) {
  localStorage.setItem(storageKeys.token, token)
  for (const changed of watchers) changed()
}

export function removeToken() {
  localStorage.removeItem(storageKeys.token)
  for (const changed of watchers) changed()
}

/** Call `changed` when another tab signs in or out. Return the function that stops watching. */
export function watchToken(changed: () => void): () => void {
  let lastToken = readToken()
  const onStorage = (event: StorageEvent) => {
    // key is null if the whole storage was cleared
    if (event.key !== storageKeys.token && event.key !== null) return
    lastToken = readToken()
    changed()
  }
  // a page restored from the back/forward cache has missed storage events
  const onHide = () => (lastToken = readToken())
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && lastToken !== readToken()) changed()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('pagehide', onHide)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('pageshow', onShow)
  }
}

function watchEverywhere(changed: () => void): () => void {
  const stop = watchToken(changed)
  watchers.add(changed)
  return () => {
    stop()
    watchers.delete(changed)
  }
}

/** Return the current token, also after a change in another tab. */
export const useToken = (): string | null => useSyncExternalStore(watchEverywhere, readToken)
