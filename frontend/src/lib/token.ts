import { storageKeys } from './storage-keys'

export const readToken = () => localStorage.getItem(storageKeys.token)

export const saveToken = (token: string) => localStorage.setItem(storageKeys.token, token)

export const removeToken = () => localStorage.removeItem(storageKeys.token)

/** Calls back when another tab signs in or out. Returns the function that stops it. */
export function watchToken(changed: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // key is null when all of the storage was cleared
    if (event.key === storageKeys.token || event.key === null) changed()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
