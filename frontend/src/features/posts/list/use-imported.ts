import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { PostBulkInSchema } from '@/api/schemas.gen'
import { changePosts } from '@/api/sdk.gen'
import { showUndo } from '@/components/undo'
import { problemText, toProblem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

const AT_ONCE = PostBulkInSchema.properties.posts.maxItems

/** Return a function that shows the imported drafts in a notification, with an undo. */
export function useImported() {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const refetch = useRefetchPosts()
  const takeBack = async (postIds: readonly string[]) => {
    try {
      for (let at = 0; at < postIds.length; at += AT_ONCE) {
        const posts = postIds.slice(at, at + AT_ONCE).map((id) => ({ id, version: 1 }))
        await changePosts({ body: { action: 'delete', posts } })
      }
    } catch (error) {
      notifications.show({ color: 'red', message: problemText(t, toProblem(error)) })
    }
    await refetch()
  }
  return (postIds: string[]) =>
    showUndo({
      message: t('posts:files.saved', { count: postIds.length }),
      label: t('undo'),
      undo: () => void takeBack(postIds),
    })
}
