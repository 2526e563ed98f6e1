import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  cancelPostWritingMutation,
  drawPostImageMutation,
  readPostWritingOptions,
  readPostWritingQueryKey,
  readTopicTreeOptions,
  rewritePostPassageMutation,
  writePostTextMutation,
} from '@/api/@tanstack/react-query.gen'
import type { WritingOut } from '@/api/types.gen'
import { tagQueryKey } from '@/lib/cursor-pages'
import { isAtWork } from '@/lib/generation'

const REFRESH = 15_000 // ms: a fallback for missed events

export const topicsQuery = (treeId: string) => readTopicTreeOptions({ path: { tree_id: treeId } })

const keyOf = (postId: string, writingId: string) =>
  tagQueryKey(readPostWritingQueryKey({ path: { post_id: postId, writing_id: writingId } }), 'tryouts')

/** Follow a text or image that is being made for a post or article, from `begun` on, and stop it. */
export function useFollowedWriting(onOver: (writing: WritingOut) => void) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<{ postId: string; id: string }>()
  const path = { post_id: asked?.postId ?? '', writing_id: asked?.id ?? '' }
  const follow = useQuery({
    ...readPostWritingOptions({ path }),
    queryKey: keyOf(path.post_id, path.writing_id),
    enabled: asked !== undefined,
    refetchInterval: ({ state: { data } }: { state: { data?: WritingOut } }) => (data && isAtWork(data) ? REFRESH : false),
  })
  const begun = (writing: WritingOut) => {
    queryClient.setQueryData(keyOf(writing.post_id, writing.id), writing)
    setAsked({ postId: writing.post_id, id: writing.id })
  }
  const cancel = useMutation({
    ...cancelPostWritingMutation(),
    onSuccess: begun,
    // refused because it has ended: the screen is out of date
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(path.post_id, path.writing_id) }),
  })
  const writing = asked && follow.data
  const gone = asked !== undefined && follow.error?.code === 'not_found'

  const over = useEffectEvent(onOver)
  const told = useRef<string>(undefined)
  useEffect(() => {
    if (!writing || isAtWork(writing) || told.current === writing.id) return
    told.current = writing.id
    over(writing)
  }, [writing])

  return {
    begun,
    writing,
    gone,
    atWork: !gone && asked !== undefined && (!writing || isAtWork(writing)),
    stopping: cancel.isPending,
    stop: () => asked && cancel.mutate({ path }),
    stopProblem: cancel.error,
    /** Start over, without earlier failures. */
    reset: () => {
      cancel.reset()
      setAsked(undefined)
    },
  }
}

export type FollowedWriting = Omit<ReturnType<typeof useFollowedWriting>, 'begun'>

/** Write a text or passage, or draw an image, for a post, and follow it. */
export function useWriting(onOver: (writing: WritingOut) => void) {
  const { begun, ...followed } = useFollowedWriting(onOver)
  const write = useMutation({ ...writePostTextMutation(), onSuccess: begun })
  const rewrite = useMutation({ ...rewritePostPassageMutation(), onSuccess: begun })
  const draw = useMutation({ ...drawPostImageMutation(), onSuccess: begun })
  const calls = [write, rewrite, draw]
  return {
    ...followed,
    write,
    rewrite,
    draw,
    /** Follow a writing that another call ordered. */
    follow: begun,
    atWork: followed.atWork || calls.some(({ isPending }) => isPending),
    reset: () => {
      for (const call of calls) call.reset()
      followed.reset()
    },
  }
}
