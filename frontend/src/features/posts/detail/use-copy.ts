import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { useDuplicatePost } from '@/features/posts/api'
import { isCopiedInPart } from '@/features/posts/post-state'
import { composePath } from '@/lib/compose-path'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'

/** Return what copies the post as a draft and opens the copy, with the name of its button. */
export function useCopy(post: PostOut) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const navigate = useNavigate()
  const duplicate = useDuplicatePost()
  const duplicateOnce = useMutateOnce(duplicate)
  const inPart = isCopiedInPart(post)
  const copy = () => {
    const id = newRequestId()
    duplicateOnce(
      { path: { post_id: post.id }, body: { id } },
      {
        onSuccess: () => {
          notifications.show({ message: t(inPart ? 'posts:copiedFailed' : 'posts:duplicated') })
          void navigate(composePath(id))
        },
        onError: (problem) =>
          notifications.show({ color: 'red', message: `${t('posts:duplicateFailed')} ${problemText(t, problem)}` }),
      },
    )
  }
  return { copy, isPending: duplicate.isPending, label: t(inPart ? 'posts:copyFailed' : 'posts:duplicate') }
}
