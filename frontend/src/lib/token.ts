import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys'

const watchers = new Set<() => void>()

export const readToken = () => localStorage.getItem(storageKeys.token)

/** Stands for the session where the token itself must not: it tells little of that. None: nobody is signed in. */
export const sessionName = (token = readToken()) => token?.slice(-8)

export function saveToken(token: string) {
  localStorage.setItem(storageKeys.token, token)
  for (const changed of watchers) changed()
}

export function removeToken() {
  localStorage.removeItem(storageKeys.token)
  for (const changed of watchers) changed()
}

/** Calls back when another tab signs in or out. Returns the function that stops it. */
export function watchToken(changed: () => void): () => void {
  let known = readToken()
  const onStorage = (event: StorageEvent) => {
    // key is null when all of the storage was cleared
    if (event.key !== storageKeys.token && event.key !== null) return
    known = readToken()
    changed()
  }
  // a page that was put aside and comes back by the back button has heard nothing meanwhile
  const onHide = () => (known = readToken())
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && known !== readToken()) changed()
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

/** The token of whoever is signed in now, in whichever tab that changed. */
export const useToken = (): string | null => useSyncExternalStore(watchEverywhere, readToken)
