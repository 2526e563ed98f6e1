import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/components/use-problem-text'
import { instantOf, wallTime } from '@/lib/time-zones'
import { openApprovalOf, canMove, toWall, type Entry } from './entries'
import { addDays } from './period'
import { useMoving } from './use-moving'

const MINUTE = 60_000 // ms

/** Return what moves the entries of the calendar: by a dialog, by keys, or by dropping them. */
export function useEntryMoves(entries: Entry[], zone: string) {
  const { t } = useTranslation(['common', 'calendar'])
  const problemText = useProblemText()
  const moving = useMoving()
  const focusOn = useFocusAfter(entries)

  const move = (entry: Entry, to: Date) => {
    // an earlier move may have been answered while the dialog was open
    const current = entries.find(({ id }) => id === entry.id) ?? entry
    if (current.kind !== 'post') return
    focusOn(current.id)
    void moving({ id: current.id, at: current.at, version: current.post.version, atOnce: openApprovalOf(current)?.at_once }, to)
  }
  /** Act, unless the post can't be moved, which a notice explains. */
  const unlessFixed = (entry: Entry, act: () => void) => {
    if (entry.kind === 'post' && entry.post.fixed !== null) {
      const reason = problemText({ code: entry.post.fixed, params: {} })
      notifications.show({ color: 'red', message: t('calendar:fixed', { reason }) })
    } else act()
  }
  /** Move an entry by days or by minutes. */
  const shift = (entry: Entry, byDays: number, minutes: number) =>
    unlessFixed(entry, () => {
      const wall = wallTime(new Date(entry.at), zone)
      // days are counted on the clock: across a clock change the time of day stays
      move(
        entry,
        minutes ? new Date(Date.parse(entry.at) + minutes * MINUTE) : instantOf(addDays(wall.slice(0, 10), byDays) + wall.slice(10), zone),
      )
    })
  const drop = (entry: Entry, wall: string) => {
    if (!canMove(entry)) return
    // an entry in an hour that the browser's own zone leaves out is drawn beside its time
    const currentWall = wallTime(new Date(entry.at), zone)
    const dropped = wall.slice(11) === toWall(entry.start).slice(11) ? wall.slice(0, 11) + currentWall.slice(11) : wall
    // the same wall time can mean two moments in an hour that comes twice
    if (dropped !== currentWall) move(entry, instantOf(dropped, zone))
  }
  return { move, shift, drop, unlessFixed }
}

/** Return a function that gives an entry the focus again after a move, which draws the entry at another place. */
function useFocusAfter(entries: Entry[]): (id: string) => void {
  const focusId = useRef<string | null>(null)
  useEffect(() => {
    if (focusId.current === null) return
    const element = document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(focusId.current)}"]`)
    if (element && (document.activeElement === document.body || document.activeElement === null)) element.focus()
  }, [entries])
  return (id) => {
    focusId.current = id
  }
}
