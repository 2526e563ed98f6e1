import { useEffect, useEffectEvent, useRef } from 'react'
import { NavigationType, useBlocker, type Location } from 'react-router'
import { useConfirm } from '@/components/confirm'
import { NEW_POST } from '@/lib/compose-path'
import { readToken } from '@/lib/token'

/** Ask before going to another page or leaving the app while uploads run, which end with this page. */
export function useLeaveQuestion(busy: boolean, question: { title: string; text: string; action: string }): void {
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      // without a session the page can't stay
      busy && leavesPage(currentLocation, nextLocation, historyAction) && readToken() !== null,
  )
  const isAsking = useRef(false)
  // the latest navigation counts if others followed while the question was open
  const answer = useEffectEvent((leaves: boolean) => (leaves ? blocker.proceed?.() : blocker.reset?.()))
  const ask = useEffectEvent(async () => {
    if (isAsking.current) return
    isAsking.current = true
    const leaves = await confirm(question)
    isAsking.current = false
    answer(leaves)
  })
  useEffect(() => {
    if (blocker.state === 'blocked') void ask()
  }, [blocker.state, blocker.location])
  useEffect(() => {
    if (!busy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
}

/** The parts of the query that open another page at the same path. */
const PAGES = ['compose', 'new', 'id', 'edit']

function leavesPage(from: Location, to: Location, action: NavigationType): boolean {
  if (from.pathname !== to.pathname) return true
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
  return PAGES.some((name) => {
    const [opened, opens] = [before.get(name) || null, after.get(name) || null]
    // a new post or article gets its id when it is saved
    const getsItsId = action === NavigationType.Replace && opens !== null && opened === (name === 'id' ? null : NEW_POST)
    return opened !== opens && !getsItsId
  })
}
