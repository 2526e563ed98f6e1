import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { decidePost } from '@/api/sdk.gen'
import type { AskedOut, PostChangeOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

/** How long an answer can be taken back: until then nobody else knows of it. */
export const HELD_FOR = 10_000 // ms

/** Left for the way to the server, which refuses what arrives after the deadline. */
const ON_THE_WAY = 5_000 // ms

export interface Decision {
  asked: AskedOut
  approved: boolean
  remark: string
}

interface Listener {
  /** It is on its way, and cannot be taken back any more. */
  onSend: (decision: Decision) => void
  onSaved: (decision: Decision, changed: PostChangeOut) => void
  onRefused: (decision: Decision, problem: Problem) => void
}

/**
 * An answer that is given, but not yet sent: after 10 seconds, with the next answer, or as soon as the person leaves
 * the page. A deadline that is nearer comes first.
 */
export function useHeldDecision({ onSend, onSaved, onRefused }: Listener) {
  const held = useRef<{ decision: Decision; timer: ReturnType<typeof setTimeout> } | null>(null)
  const { mutate } = useMutation<PostChangeOut, Problem, Decision>({
    mutationFn: async ({ asked: { post }, approved, remark }) => {
      const { data } = await decidePost({
        path: { post_id: post.id },
        body: { approved, content_hash: post.content_hash, remark },
        keepalive: true, // it outlives the page
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
  /** Returns for how many ms it can be taken back: 0 where it was sent at once. */
  const hold = (decision: Decision): number => {
    flush()
    const { approval } = decision.asked.post
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
