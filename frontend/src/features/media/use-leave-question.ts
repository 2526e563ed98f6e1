import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useConfirm } from '@/components/confirm'
import { readToken } from '@/lib/token'

/** Going to another page asks first, as leaving the app does, since what runs ends with this page. */
export function useLeaveQuestion(busy: boolean, question: { title: string; text: string; action: string }): void {
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // whose session has ended cannot stay
      busy && currentLocation.pathname !== nextLocation.pathname && readToken() !== null,
  )
  const { state } = blocker
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm(question).then((leaves) => (leaves ? blocker.proceed() : blocker.reset()))
    // asked once for each attempt, not with each new rendering
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [state])
  useEffect(() => {
    if (!busy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
}
