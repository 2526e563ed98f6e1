import { useEffect, useState } from 'react'
import type { RunEvidenceOut } from '@/api/types.gen'
import { momentsOf, runAt } from './run-view'

const EACH = 900 // ms per event, however long it took

/** Return the state of the replay of a finished run. Before and after the replay it has the whole run. */
export function useReplay(run: RunEvidenceOut) {
  const [at, setAt] = useState<number | null>(null)
  const moments = momentsOf(run)
  const last = moments.length - 1
  useEffect(() => {
    if (at === null) return
    const timer = setTimeout(() => setAt(at < last ? at + 1 : null), EACH)
    return () => clearTimeout(timer)
  }, [at, last])
  const moment = at === null ? undefined : moments[at]
  return {
    playing: moment !== undefined,
    possible: moments.length > 1,
    moment,
    shown: moment === undefined ? run : runAt(run, moment),
    toggle: () => setAt((current) => (current === null ? 0 : null)),
  }
}
