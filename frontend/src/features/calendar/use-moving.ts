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
  /** The post is published on approval. Moving it to a time ends that for good. */
  atOnce?: boolean
}

/**
 * Return a function that moves a post and shows an undo, or why it failed. It resolves to whether the post was moved.
 */
export function useMoving(): (post: Movable, to: Date) => Promise<boolean> {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const problemText = useProblemText()
  const move = useMovePost()
  /** The latest move of each post, in progress or done. */
  const moves = useRef(new Map<string, Promise<Movable>>())
  const next = useRef(new Map<string, Date>())

  /** Move the post. Return its time and version afterwards. */
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
      // the error of the field is more specific
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
      // the version is known after the response; of several waiting moves only the last is sent
      next.current.set(id, to)
      const current = await earlier.catch(() => post)
      if (next.current.get(id) !== to) return false
      next.current.delete(id)
      // the earlier move may have been rendered before its response
      if (current.version > post.version) from = current
    }
    if (Date.parse(from.at) === to.getTime()) return false
    const attempted = attempt(from, to, isUndo)
    moves.current.set(id, attempted)
    return (await attempted) !== from
  }
  return (post, to) => moving(post, to)
}
