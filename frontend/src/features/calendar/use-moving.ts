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
}

/** Moves a post and offers to take it back; says why where it stays. Whether it was moved. */
export function useMoving(): (post: Movable, to: Date) => Promise<boolean> {
  const { t } = useTranslation()
  const format = useFormat()
  const problemText = useProblemText()
  const move = useMovePost()
  const underWay = useRef(new Set<string>())

  const moving = async ({ id, at, version }: Movable, to: Date, isUndo = false): Promise<boolean> => {
    // its version is not known before the answer
    if (Date.parse(at) === to.getTime() || underWay.current.has(id)) return false
    underWay.current.add(id)
    try {
      const { post, confirmed } = await move(id, version, at, to)
      const when = format.dayAndTime(to)
      const message = t(confirmed ? 'calendar.moved' : 'calendar.movedLater', { when })
      const back = { id, at: to.toISOString(), version: post.version }
      if (isUndo) notifications.show({ message })
      else showUndo({ message, label: t('calendar.undo'), undo: () => void moving(back, new Date(at), true) })
      return true
    } catch (error) {
      if (!isProblem(error)) throw error
      // the field says more than the whole
      const reason = problemText({ ...error, ...error.errors.find(({ field }) => field === 'planned_at') })
      notifications.show({ color: 'red', message: t('calendar.notMoved', { reason }) })
      return false
    } finally {
      underWay.current.delete(id)
    }
  }
  return (post, to) => moving(post, to)
}
