import { useDebouncedCallback } from '@mantine/hooks'
import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { TreeEditor } from './tree-editor'

const WRITE_AFTER = 400 // ms: arrow keys pass many, and browsers allow few changes of the address a second

/** The key of the chosen topic. The address names it too, a little later; a link or the way back changes it at once. */
export function useChosenTopic(editor: TreeEditor) {
  const [params, setParams] = useSearchParams()
  const inUrl = params.get('topic') ?? ''
  const [chosen, setChosen] = useState(() => editor.keyOf(inUrl))
  const [lastUrlKey, setLastUrlKey] = useState(inUrl)
  const [written, setWritten] = useState(inUrl)
  if (inUrl !== lastUrlKey) {
    setLastUrlKey(inUrl)
    // what was written here comes back a little later, when another topic may be chosen already
    if (inUrl !== written) setChosen(editor.keyOf(inUrl))
  }
  const write = useDebouncedCallback((key: string) => {
    const id = editor.idOf(key)
    setWritten(id)
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('topic', id)
        return next
      },
      { replace: true },
    )
  }, WRITE_AFTER)
  const choose = useCallback(
    (key: string) => {
      setChosen(key)
      write(key)
    },
    [write],
  )
  return [chosen, choose] as const
}
