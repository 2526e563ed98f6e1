import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/components/use-problem-text'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { isProblem } from '@/lib/problems'
import { useMovePost } from './api'

interface Movable {
  id: string
  at: string
  version: number
  /** It goes out as soon as it is approved, which a time of its own ends for good. */
  atOnce?: boolean
}

/** Moves a post and offers to take it back; says why where it stays. Whether it was moved. */
export function useMoving(): (post: Movable, to: Date) => Promise<boolean> {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const problemText = useProblemText()
  const move = useMovePost()
  /** The last one of each post, under way or over. */
  const moves = useRef(new Map<string, Promise<Movable>>())
  const next = useRef(new Map<string, Date>())

  /** Where it stands afterwards. */
  const attempt = async (post: Movable, to: Date, isUndo: boolean): Promise<Movable> => {
    const { id, at, version } = post
    try {
      const { post: moved, confirmed, repeats } = await move(id, version, at, to)
      const when = format.dayAndTime(to)
      const result = t(confirmed ? 'calendar:moved' : 'calendar:movedLater', { when })
      const message = repeats ? `${result} ${t('calendar:repeats')}` : result
      const back = { id, at: to.toISOString(), version: moved.version }
      if (isUndo || post.atOnce) notifications.show({ message })
      else showUndo({ message, label: t('calendar:undo'), undo: () => void moving(back, new Date(at), true) })
      return back
    } catch (error) {
      if (!isProblem(error)) throw error
      // the field says more than the whole
      const reason = problemText({ ...error, ...error.errors.find(({ field }) => field === 'planned_at') })
      notifications.show({ color: 'red', message: t('calendar:notMoved', { reason }) })
      return post
    }
  }

  const moving = async (post: Movable, to: Date, isUndo = false): Promise<boolean> => {
    const { id } = post
    const earlier = moves.current.get(id)
    let from = post
    if (earlier) {
      // its version is not known before the answer; of several that wait for it the last one goes
      next.current.set(id, to)
      const current = await earlier.catch(() => post)
      if (next.current.get(id) !== to) return false
      next.current.delete(id)
      // what was asked for may have been drawn before the answer
      if (current.version > post.version) from = current
    }
    if (Date.parse(from.at) === to.getTime()) return false
    const attempted = attempt(from, to, isUndo)
    moves.current.set(id, attempted)
    return (await attempted) !== from
  }
  return (post, to) => moving(post, to)
}
