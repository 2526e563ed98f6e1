import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useDraft } from '@/lib/drafts'
import { isProblem, toProblem, type Problem } from '@/lib/problems'

interface Options {
  /** The name of the draft, which holds the text until it is saved. */
  draftName: string
  saved: string
  /** The text is also saved after so many ms without a keystroke. Without it, only when the field loses the focus. */
  pause?: number
  /** `base`: the saved text that the typed one replaces. */
  save: (text: string, base: string) => Promise<unknown>
  /** Return why the text cannot be saved. */
  validate?: (text: string) => string | undefined
  /** Ask before a text is overwritten that another tab has saved meanwhile. */
  asksToOverwrite?: boolean
}

interface Draft {
  text: string
  /** The saved text that it replaces. */
  base: string
}

/** Ignores spaces around the text, which are not saved. */
const isSameText = (a: string, b: string) => a.trim() === b.trim()

/**
 * State of a field that is saved automatically: when it loses the focus, after a pause, and when it is unmounted. A
 * draft holds the typed text until the server has it. A text saved by another tab shows if nothing was typed here.
 */
export function useAutosavedField({ draftName, saved, pause, save, validate, asksToOverwrite = false }: Options) {
  const draft = useDraft<Draft>(draftName)
  const [initial] = useState(() => draft.read())
  const [text, setText] = useState(initial?.text ?? saved)
  const [dirty, setDirty] = useState(initial !== undefined)
  const [draftBase, setDraftBase] = useState(initial?.base ?? saved)
  const [sent, setSent] = useState<string>() // not answered yet
  const [lastSaved, setLastSaved] = useState(saved)
  const [problem, setProblem] = useState<Problem>()
  const [blocked, setBlocked] = useState<string>()
  if (saved !== lastSaved) {
    setLastSaved(saved)
    if (!dirty) setText(saved)
  }
  const base = dirty ? draftBase : saved
  const isKnown = [base, text, sent ?? base].some((candidate) => isSameText(candidate, saved))
  const newer = asksToOverwrite && dirty && !isKnown ? saved : undefined

  const send = (before: string) => {
    const done = () => {
      setProblem(undefined)
      setSent((current) => (current === text ? undefined : current))
      setDraftBase(text)
      const left = draft.read()
      if (left?.text === text) draft.drop()
      else if (left) draft.keep({ ...left, base: text })
      setDirty((still) => still && draft.read() !== undefined)
    }
    if (isSameText(text, saved) && sent === undefined) return done()
    setSent(text)
    save(text, before).then(done, (error: unknown) => {
      setSent((current) => (current === text ? undefined : current))
      setProblem(isProblem(error) ? error : toProblem(error))
    })
  }
  const flush = () => {
    if (!dirty || newer !== undefined) return
    const reason = validate?.(text)
    setBlocked(reason)
    if (!reason) send(sent ?? base)
  }
  // a refused text is sent again only when the field loses the focus again
  const later = useDebouncedCallback(() => problem === undefined && flush(), pause ?? 0)
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => () => latest.current(), [])

  const change = (next: string) => {
    setText(next)
    setDraftBase(base)
    setDirty(true)
    setBlocked(undefined)
    setProblem(undefined)
    draft.keep({ text: next, base })
    if (pause !== undefined) later()
  }
  /** Discard the typed text, and show the one saved by another tab. */
  const takeNewer = () => {
    draft.drop()
    setText(saved)
    setDirty(false)
    setProblem(undefined)
  }
  /** Save the typed text over the one saved by another tab. */
  const keepMine = () => {
    draft.keep({ text, base: saved })
    setDraftBase(saved)
    setProblem(undefined)
    send(saved)
  }
  return { text, change, flush, problem, blocked, newer, takeNewer, keepMine }
}
