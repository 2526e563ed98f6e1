import { useState } from 'react'

interface Opened {
  /** The id that the URL names. */
  id: string
  /** The id that the open item is about to get. */
  given?: string
  key: number
}

/**
 * Return the key of the editor of the item that the URL names. Another id gives another key, so that the editor of one
 * item never goes on with another. The id that a new item gets, announced by `expectId`, keeps it.
 */
export function useEditorKey(id: string): { editorKey: number; expectId: (given: string) => void } {
  const [opened, setOpened] = useState<Opened>({ id, key: 0 })
  if (opened.id !== id) setOpened({ id, key: opened.given === id ? opened.key : opened.key + 1 })
  return { editorKey: opened.key, expectId: (given) => setOpened((now) => ({ ...now, given })) }
}
