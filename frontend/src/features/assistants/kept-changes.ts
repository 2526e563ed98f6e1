import type { AssistantValues } from './form-values'

/** Unsaved changes, for as long as the browser's tab lives. */
export interface KeptChanges {
  values: AssistantValues
  /** The assistant's version that they were made on. */
  version: number | null
}

const key = (assistantId: string | null) => `assistant-form:${assistantId ?? 'new'}`

export function readKept(assistantId: string | null): KeptChanges | null {
  const stored = sessionStorage.getItem(key(assistantId))
  return stored === null ? null : (JSON.parse(stored) as KeptChanges)
}

export const keep = (assistantId: string | null, changes: KeptChanges) =>
  sessionStorage.setItem(key(assistantId), JSON.stringify(changes))

export const forget = (assistantId: string | null) => sessionStorage.removeItem(key(assistantId))
