import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { withRemedy } from '@/components/problem-text'
import { showUndo } from '@/components/undo'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paramsOf, problemText, toProblem } from '@/lib/problems'
import { useIsMounted } from '@/lib/use-is-mounted'
import { useChangePosts, type BulkOrder, type BulkOutcome } from './bulk-api'
import { nameOf } from '@/features/posts/post-state'
import { areAllArticles, contentKindOf } from '@/lib/content-kind'

const MOST_REASONS = 3

/**
 * Return the command that changes several posts. A notification shows what was done, with an undo if possible. Refused
 * posts stay selected and are listed with their reasons: in a dialog, or in a notification if the user is on another
 * page.
 */
export function useBulk(select: (ids: readonly string[]) => void) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const [progress, setProgress] = useState(0)
  const [refused, setRefused] = useState<BulkOutcome['refused']>([])
  const change = useChangePosts(setProgress)
  const isThere = useIsMounted()

  const showRefused = (left: BulkOutcome['refused']) => {
    const reasons = left.slice(0, MOST_REASONS).map(({ post, problem }) => {
      const params = { ...problem.params, ...paramsOf(contentKindOf(post)) }
      return t('posts:refusedBecause', { name: nameOf(t, post), reason: problemText(t, { ...problem, params }) })
    })
    const count = left.length
    notifications.show({
      color: 'red',
      autoClose: false,
      title: areAllArticles(left.map(({ post }) => post)) ? t('posts:refusedArticles', { count }) : t('posts:refusedTitle', { count }),
      message: reasons.join(' '),
    })
  }

  const describe = ({ action }: BulkOrder, outcome: BulkOutcome, refused = outcome.refused): string | null => {
    const { done, unconfirmed, repeated } = outcome
    if (isThere()) {
      setRefused(refused)
      select(refused.map(({ post }) => post.id))
    } else if (outcome.refused.length > 0) showRefused(outcome.refused)
    if (done.length === 0) return null
    const later = unconfirmed > 0 ? ` ${t('posts:actions.later')}` : ''
    const twice = repeated > 0 ? ` ${t('posts:repeated', { count: repeated })}` : ''
    // actions with a text for articles
    const hasArticleText =
      action === 'delete' || action === 'restore' || action === 'remove' ||
      action === 'there' || action === 'not_there' || action === 'take_back' || action === 'send_again'
    const message = hasArticleText && areAllArticles(done) ? t(`posts:changedArticles.${action}`, { count: done.length }) : t(`posts:changed.${action}`, { count: done.length })
    return message + later + twice
  }
  const showFailed = (error: unknown) => {
    const problem = toProblem(error)
    // errors of a field are shown at the field
    if (problem.errors.length === 0) notifications.show({ color: 'red', message: withRemedy(problem.code, problemText(t, problem)) })
  }
  const takeBack = async (order: BulkOrder) => {
    try {
      const message = describe(order, await change.mutateAsync(order))
      if (message) notifications.show({ message })
    } catch (error) {
      showFailed(error)
    }
  }
  /** Run the orders. Return the outcome for all posts; null if an order is invalid, which `problem` says. */
  const runOnce = useOneAtATime(async (orders: readonly BulkOrder[]): Promise<BulkOutcome | null> => {
    const all: BulkOutcome = { done: [], refused: [], unconfirmed: 0, repeated: 0 }
    try {
      for (const order of orders) {
        const outcome = await change.mutateAsync(order)
        all.done.push(...outcome.done)
        all.refused.push(...outcome.refused)
        const message = describe(order, outcome, all.refused)
        const back = undoOrder(order, outcome.done)
        if (message && back) showUndo({ message, label: t('undo'), undo: () => void takeBack(back) })
        else if (message) notifications.show({ message })
      }
    } catch (error) {
      showFailed(error)
      return null
    }
    return all
  })
  // a loading button can't have the focus, so the dialog could not return it
  const opener = useRef<Element>(null)
  const runAll = async (orders: readonly BulkOrder[]) => {
    opener.current = document.activeElement
    return (await runOnce(orders)) ?? null
  }
  const forget = () => {
    setRefused([])
    const { current } = opener
    if (current instanceof HTMLElement) requestAnimationFrame(() => current.focus())
  }
  return {
    run: (order: BulkOrder) => runAll([order]),
    /** Run several orders, one after the other. */
    runAll,
    pending: change.isPending,
    /** The number of posts with a response. */
    progress,
    problem: change.error,
    refused,
    forget,
  }
}

export type Bulk = ReturnType<typeof useBulk>

/** Return the order that undoes another one; null if it cannot be undone. */
function undoOrder({ action, days = 0, account_ids }: BulkOrder, done: PostOut[]): BulkOrder | null {
  // a decision about an account is undone for that account alone
  if (action === 'there' || action === 'not_there') return { action: 'take_back', account_ids, posts: done }
  if (action === 'delete') return { action: 'restore', posts: done }
  // moving has raised the version of each post
  if (action === 'move') return { action, days: -days, putsBack: true, posts: done.map((post) => ({ ...post, version: post.version + 1 })) }
  return null
}
