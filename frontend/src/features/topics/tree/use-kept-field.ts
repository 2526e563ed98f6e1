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
  /** `over`: what was saved when the typing began. */
  save: (text: string, over: string) => Promise<unknown>
  /** Why it can't be saved as it is; it stays on the screen. */
  wrong?: (text: string) => string | undefined
  /** Never saves over what another tab has saved since the typing began: a person chooses. */
  careful?: boolean
}

interface Kept {
  text: string
  over: string
}

/** Spaces around it are not saved. */
const same = (one: string, other: string) => one.trim() === other.trim()

/**
 * A field that saves itself: when it is left, after a pause, and when its place on the screen goes. What was typed is
 * kept until the server has it; what another tab saved shows as long as nothing was typed here.
 */
export function useKeptField({ name, saved, pause, save, wrong, careful = false }: KeptField) {
  const draft = useDraft<Kept>(name)
  const [kept] = useState(() => draft.read())
  const [text, setText] = useState(kept?.text ?? saved)
  const [dirty, setDirty] = useState(kept !== undefined)
  const [typedOver, setTypedOver] = useState(kept?.over ?? saved)
  const [sent, setSent] = useState<string>() // not answered yet
  const [base, setBase] = useState(saved)
  const [problem, setProblem] = useState<Problem>()
  const [blocked, setBlocked] = useState<string>()
  if (saved !== base) {
    setBase(saved)
    if (!dirty) setText(saved)
  }
  const over = dirty ? typedOver : saved
  const known = [over, text, sent ?? over].some((one) => same(one, saved))
  const newer = careful && dirty && !known ? saved : undefined

  const send = (before: string) => {
    const done = () => {
      setProblem(undefined)
      setSent((now) => (now === text ? undefined : now))
      setTypedOver(text)
      const left = draft.read()
      if (left?.text === text) draft.drop()
      else if (left) draft.keep({ ...left, over: text })
      setDirty((still) => still && draft.read() !== undefined)
    }
    if (same(text, saved) && sent === undefined) return done()
    setSent(text)
    save(text, before).then(done, (error: unknown) => {
      setSent((now) => (now === text ? undefined : now))
      setProblem(isProblem(error) ? error : toProblem(error))
    })
  }
  const flush = () => {
    if (!dirty || newer !== undefined) return
    const reason = wrong?.(text)
    setBlocked(reason)
    if (!reason) send(sent ?? over)
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
    setTypedOver(over)
    setDirty(true)
    setBlocked(undefined)
    setProblem(undefined)
    draft.keep({ text: next, over })
    if (pause !== undefined) later()
  }
  /** Gives up what was typed for what another tab saved. */
  const takeNewer = () => {
    draft.drop()
    setText(saved)
    setDirty(false)
    setProblem(undefined)
  }
  /** Saves what was typed, over what another tab saved. */
  const keepMine = () => {
    draft.keep({ text, over: saved })
    setTypedOver(saved)
    setProblem(undefined)
    send(saved)
  }
  return { text, change, flush, problem, blocked, newer, takeNewer, keepMine }
}
