import { useMutation } from '@tanstack/react-query'
import { rewriteArticlePassageMutation, writeArticlePartMutation } from '@/api/@tanstack/react-query.gen'
import type { WritingOut } from '@/api/types.gen'
import { useFollowedWriting } from '@/components/use-writing'

/** A part of an article, or a passage of it, that is written. */
export function usePartWriting(onOver: (writing: WritingOut) => void) {
  const { followWriting, ...followed } = useFollowedWriting(onOver)
  const make = useMutation({ ...writeArticlePartMutation(), onSuccess: followWriting })
  const rewrite = useMutation({ ...rewriteArticlePassageMutation(), onSuccess: followWriting })
  return {
    ...followed,
    make,
    rewrite,
    problem: make.error ?? rewrite.error,
    atWork: followed.atWork || make.isPending || rewrite.isPending,
    reset: () => {
      make.reset()
      rewrite.reset()
      followed.reset()
    },
  }
}
