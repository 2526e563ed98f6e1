import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useDraft } from '@/lib/drafts'
import { isProblem, toProblem, type Problem } from '@/lib/problems'

interface KeptField {
  /** Under which it is kept while it is not saved. */
  name: string
  saved: string
  /** Saves by itself after so many ms without a key; without it only when the field is left. */
  pause?: number
  save: (text: string) => Promise<unknown>
  /** Why it can't be saved as it is; it stays on the screen. */
  wrong?: (text: string) => string | undefined
}

/**
 * A field that saves itself: when it is left, after a pause, and when its place on the screen goes. What was typed is
 * kept until the server has it; what another tab saved shows as long as nothing was typed here.
 */
export function useKeptField({ name, saved, pause, save, wrong }: KeptField) {
  const draft = useDraft<string>(name)
  const [kept] = useState(() => draft.read())
  const [text, setText] = useState(kept ?? saved)
  const [dirty, setDirty] = useState(kept !== undefined)
  const [base, setBase] = useState(saved)
  const [problem, setProblem] = useState<Problem>()
  const [blocked, setBlocked] = useState<string>()
  if (saved !== base) {
    setBase(saved)
    if (!dirty) setText(saved)
  }

  const flush = () => {
    if (!dirty) return
    const reason = wrong?.(text)
    setBlocked(reason)
    if (reason) return
    const done = () => {
      setProblem(undefined)
      if (draft.read() === text) draft.drop()
      setDirty((still) => still && draft.read() !== undefined)
    }
    if (text === saved) return done()
    save(text).then(done, (error: unknown) => setProblem(isProblem(error) ? error : toProblem(error)))
  }
  // what was refused is sent again only when the field is left once more
  const later = useDebouncedCallback(() => problem === undefined && flush(), pause ?? 0)
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => () => latest.current(), [])

  const change = (next: string) => {
    setText(next)
    setDirty(true)
    setBlocked(undefined)
    setProblem(undefined)
    draft.keep(next)
    if (pause !== undefined) later()
  }
  return { text, change, flush, problem, blocked }
}
