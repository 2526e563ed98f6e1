import { useMutation } from '@tanstack/react-query'
import { changePosts } from '@/api/sdk.gen'
import type { BulkAction, PostBulkIn, PostOut } from '@/api/types.gen'
import { toProblem, type Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

/** A change of several posts. */
export interface BulkOrder extends Pick<PostBulkIn, 'remark' | 'days' | 'add' | 'remove' | 'account_ids'> {
  action: BulkAction
  posts: readonly PostOut[]
  /**
   * For undoing a move: each post gets exactly its time in `posts`, since adding days differs across a clock change.
   */
  putsBack?: boolean
}

export type Refusal = Pick<Problem, 'code' | 'params'>

/** The result for each post. */
export interface BulkOutcome {
  done: PostOut[]
  refused: { post: PostOut; problem: Refusal }[]
  /** How many of the changed posts take effect later. */
  unconfirmed: number
  /** How many of the moved posts repeat another post within an hour. */
  repeated: number
}

/** Posts per call, so that the user sees progress. */
const AT_ONCE = 25

/**
 * Return the mutation that changes posts in batches and reports its progress. After a lost connection the remaining
 * posts count as refused.
 */
export function useChangePosts(onProgress: (done: number) => void) {
  return useMutation<BulkOutcome, Problem, BulkOrder>({
    mutationFn: async ({ posts, ...order }) => {
      const outcome: BulkOutcome = { done: [], refused: [], unconfirmed: 0, repeated: 0 }
      for (let at = 0; at < posts.length; at += AT_ONCE) {
        onProgress(at)
        const part = posts.slice(at, at + AT_ONCE)
        try {
          await changePart(part, order, outcome)
        } catch (error) {
          const problem = toProblem(error)
          // wrong for all of them or for none: the form says it
          if (at === 0 && problem.errors.length > 0) throw error
          outcome.refused.push(...posts.slice(at).map((post) => ({ post, problem })))
          break
        }
      }
      return outcome
    },
    onSettled: useRefetchPosts(),
  })
}

async function changePart(part: readonly PostOut[], { putsBack, ...order }: Omit<BulkOrder, 'posts'>, outcome: BulkOutcome) {
  const picked = part.map(({ id, version, content_hash, planned_at }) => ({
    ...{ id, version, content_hash },
    ...(putsBack && { planned_at }),
  }))
  const { data } = await changePosts({ body: { ...order, posts: picked } })
  outcome.repeated += data.repeats.length
  const results = new Map(data.results.map((result) => [result.id, result]))
  for (const post of part) {
    const result = results.get(post.id)
    if (result?.refusal) outcome.refused.push({ post, problem: result.refusal })
    else {
      outcome.done.push(post)
      if (result && !result.confirmed) outcome.unconfirmed += 1
    }
  }
}
