import { useMutation } from '@tanstack/react-query'
import { decidePost } from '@/api/sdk.gen'
import type { AskedOut, PostChangeOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'
import { HELD_FOR, useHeld } from '@/lib/use-held'

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
 * Return what holds an answer back before it is sent, as `useHeld` does, for 10 seconds. If the deadline is nearer, the
 * answer is sent before it.
 */
export function useHeldDecision({ onSend, onSaved, onRefused }: Listener) {
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

  const { hold, takeBack, flush } = useHeld((decision: Decision) => {
    mutate(decision)
    onSend(decision)
  })
  return {
    /** Hold the answer back. Return for how many ms it can be taken back; 0 if it was sent at once. */
    hold: (decision: Decision): number => {
      const { approval } = decision.question.post
      const left = approval ? Date.parse(approval.deadline_at) - Date.now() - ON_THE_WAY : 0
      const heldFor = Math.max(0, Math.min(HELD_FOR, left))
      hold(decision, heldFor)
      return heldFor
    },
    takeBack,
    flush,
  }
}
