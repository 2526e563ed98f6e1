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

/** Return the state of a text or image that is made for a post or article, and what follows and stops it. */
export function useFollowedWriting(onOver: (writing: WritingOut) => void) {
  const queryClient = useQueryClient()
  const [followed, setFollowed] = useState<{ postId: string; id: string }>()
  const path = { post_id: followed?.postId ?? '', writing_id: followed?.id ?? '' }
  const follow = useQuery({
    ...readPostWritingOptions({ path }),
    queryKey: keyOf(path.post_id, path.writing_id),
    enabled: followed !== undefined,
    refetchInterval: ({ state: { data } }: { state: { data?: WritingOut } }) => (data && isAtWork(data) ? REFRESH : false),
  })
  const followWriting = (writing: WritingOut) => {
    queryClient.setQueryData(keyOf(writing.post_id, writing.id), writing)
    setFollowed({ postId: writing.post_id, id: writing.id })
  }
  const cancel = useMutation({
    ...cancelPostWritingMutation(),
    onSuccess: followWriting,
    // refused because it has ended: the screen is out of date
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(path.post_id, path.writing_id) }),
  })
  const writing = followed && follow.data
  const isMissing = followed !== undefined && follow.error?.code === 'not_found'

  const reportEnd = useEffectEvent(onOver)
  const reportedId = useRef<string>(undefined)
  useEffect(() => {
    if (!writing || isAtWork(writing) || reportedId.current === writing.id) return
    reportedId.current = writing.id
    reportEnd(writing)
  }, [writing])

  return {
    followWriting,
    writing,
    isMissing,
    atWork: !isMissing && followed !== undefined && (!writing || isAtWork(writing)),
    stopping: cancel.isPending,
    stop: () => followed && cancel.mutate({ path }),
    stopProblem: cancel.error,
    /** Start over, without earlier failures. */
    reset: () => {
      cancel.reset()
      setFollowed(undefined)
    },
  }
}

export type FollowedWriting = Omit<ReturnType<typeof useFollowedWriting>, 'followWriting'>

/** Return what writes a text or passage or draws an image for a post, and the state of that writing. */
export function useWriting(onOver: (writing: WritingOut) => void) {
  const { followWriting, ...followed } = useFollowedWriting(onOver)
  const write = useMutation({ ...writePostTextMutation(), onSuccess: followWriting })
  const rewrite = useMutation({ ...rewritePostPassageMutation(), onSuccess: followWriting })
  const draw = useMutation({ ...drawPostImageMutation(), onSuccess: followWriting })
  const calls = [write, rewrite, draw]
  return {
    ...followed,
    write,
    rewrite,
    draw,
    /** Follow a writing that another call ordered. */
    follow: followWriting,
    atWork: followed.atWork || calls.some(({ isPending }) => isPending),
    reset: () => {
      for (const call of calls) call.reset()
      followed.reset()
    },
  }
}
