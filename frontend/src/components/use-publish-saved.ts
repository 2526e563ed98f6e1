import { notifications } from '@mantine/notifications'
import type { ArticleOut, PostChangeOut, PostOut } from '@/api/types.gen'
import { useOneAtATime } from '@/lib/one-at-a-time'
import type { Problem } from '@/lib/problems'
import { usePublishPost } from '@/lib/refetch-posts'
import { refuseWhileUploading } from '@/lib/running-uploads'

interface Options {
  /** Save what is typed. Undefined: it could not be saved. */
  settle: () => Promise<PostOut | ArticleOut | undefined>
  showProblem: (problem: Problem) => void
  /** The text for a change that takes effect when the background service is back. */
  later: string
  onDone: (id: string) => void
}

/** Return a function that saves a post or article, publishes it at a time or, with null, now, and shows `done`. It refuses
 * to while files are uploaded. */
export function usePublishSaved({ settle, showProblem, later, onDone }: Options) {
  const publish = usePublishPost()
  const publishAt = useOneAtATime(async (when: Date | null, done: (changed: PostChangeOut) => string) => {
    // the published post can't get the files any more
    if (refuseWhileUploading()) return
    const saved = await settle()
    if (!saved) return
    await publish
      .mutateAsync(
        { path: { post_id: saved.id }, body: { version: saved.version, planned_at: when?.toISOString() ?? null } },
        {
          onSuccess: (changed) => {
            notifications.show({ message: changed.confirmed ? done(changed) : later })
            onDone(saved.id)
          },
          onError: showProblem,
        },
      )
      .catch(() => undefined)
  })
  return { publishAt, isPublishing: publish.isPending }
}
