import { useEffect, useRef } from 'react'
import { useConfirm } from '@/components/confirm'
import { useBlocker } from '@/lib/router/hooks'
import { readToken } from '@/lib/token'

/** Going to another page asks first, as leaving the app does, since what runs ends with this page. */
export function useLeaveQuestion(busy: boolean, question: { title: string; text: string; action: string }): void {
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // whose session has ended cannot stay
      busy && currentLocation.pathname !== nextLocation.pathname && readToken() !== null,
  )
  const latest = useRef(blocker)
  const asking = useRef(false)
  useEffect(() => {
    latest.current = blocker
    if (!blocker || asking.current) return
    asking.current = true
    void confirm(question).then((leaves) => {
      asking.current = false
      if (leaves) latest.current?.proceed()
      else latest.current?.reset()
    })
    // asked once for each attempt, not with each new rendering
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [blocker?.location])
  useEffect(() => {
    if (!busy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
}
