import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { decidePost } from '@/api/sdk.gen'
import type { AskedOut, PostChangeOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

/** How long an answer can be taken back; the server does not have it until then. */
export const HELD_FOR = 10_000 // ms

/** The time kept for the request: the server refuses answers after the deadline. */
const ON_THE_WAY = 5_000 // ms

export interface Decision {
  question: AskedOut
  approved: boolean
  remark: string
}

interface Listener {
  /** Called when the answer is sent and can no longer be taken back. */
  onSend: (decision: Decision) => void
  onSaved: (decision: Decision, changed: PostChangeOut) => void
  onRefused: (decision: Decision, problem: Problem) => void
}

/**
 * Return what holds an answer back before it is sent: for 10 seconds, until the next answer, or until the user leaves
 * the page. If the deadline is nearer, the answer is sent before it.
 */
export function useHeldDecision({ onSend, onSaved, onRefused }: Listener) {
  const held = useRef<{ decision: Decision; timer: ReturnType<typeof setTimeout> } | null>(null)
  const { mutate } = useMutation<PostChangeOut, Problem, Decision>({
    mutationFn: async ({ question: { post }, approved, remark }) => {
      const { data } = await decidePost({
        path: { post_id: post.id },
        body: { approved, content_hash: post.content_hash, remark },
        keepalive: true, // the request survives closing the page
        throwOnError: true,
      })
      return data
    },
    // here and not at the call: the page may be gone by then
    onSuccess: (changed, decision) => onSaved(decision, changed),
    onError: (problem, decision) => onRefused(decision, problem),
    onSettled: useRefetchPosts(),
  })

  const take = (): Decision | null => {
    const { decision = null, timer } = held.current ?? {}
    clearTimeout(timer)
    held.current = null
    return decision
  }
  const flush = () => {
    const decision = take()
    if (!decision) return
    mutate(decision)
    onSend(decision)
  }
  /** Hold the answer back. Return for how many ms it can be taken back; 0 if it was sent at once. */
  const hold = (decision: Decision): number => {
    flush()
    const { approval } = decision.question.post
    const left = approval ? Date.parse(approval.deadline_at) - Date.now() - ON_THE_WAY : 0
    const heldFor = Math.max(0, Math.min(HELD_FOR, left))
    held.current = { decision, timer: setTimeout(() => latest.current(), heldFor) }
    if (heldFor === 0) flush()
    return heldFor
  }

  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => {
    const leave = () => latest.current()
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide) // on phones it may be the last that is heard of a page
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [])
  return { hold, takeBack: take, flush }
}
