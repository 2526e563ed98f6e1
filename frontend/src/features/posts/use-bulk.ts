import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText, toProblem } from '@/lib/problems'
import { useChangePosts, type BulkOrder, type BulkOutcome } from './api'

/**
 * One word about many posts. What is done is told in a toast, with the way back where there is one; what was refused
 * stays selected, and is named with its reason.
 */
export function useBulk(select: (ids: readonly string[]) => void) {
  const { t } = useTranslation()
  const [progress, setProgress] = useState(0)
  const [refused, setRefused] = useState<BulkOutcome['refused']>([])
  const change = useChangePosts(setProgress)

  const tell = (order: BulkOrder, outcome: BulkOutcome) => {
    const { done, unconfirmed } = outcome
    setRefused(outcome.refused)
    select(outcome.refused.map(({ post }) => post.id))
    if (done.length === 0) return
    const later = unconfirmed > 0 ? ` ${t('posts.actions.later')}` : ''
    const message = t(`posts.bulk.done.${order.action}`, { count: done.length }) + later
    const back = wayBack(order, done)
    if (back) showUndo({ message, label: t('common.undo'), undo: () => void run(back) })
    else notifications.show({ message })
  }
  /** Whether the server has answered for all of them; else `problem` says what is wrong with the order. */
  const once = useOneAtATime(async (order: BulkOrder): Promise<boolean> => {
    try {
      tell(order, await change.mutateAsync(order))
    } catch (error) {
      const problem = toProblem(error)
      if (problem.errors.length === 0) notifications.show({ color: 'red', message: problemText(t, problem) })
      return false
    }
    return true
  })
  const run = async (order: BulkOrder): Promise<boolean> => (await once(order)) ?? false
  return {
    run,
    pending: change.isPending,
    /** How many have their answer. */
    progress,
    problem: change.error,
    refused,
    forget: () => setRefused([]),
  }
}

export type Bulk = ReturnType<typeof useBulk>

function wayBack({ action, days = 0 }: BulkOrder, done: PostOut[]): BulkOrder | null {
  if (action === 'delete') return { action: 'restore', posts: done }
  // moving has made a newer version of each
  if (action === 'move') return { action, days: -days, posts: done.map((post) => ({ ...post, version: post.version + 1 })) }
  return null
}
