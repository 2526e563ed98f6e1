import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { ArticleOut, PostChangeOut, PostOut } from '@/api/types.gen'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText, type Problem } from '@/lib/problems'
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

/** Return a function that saves a post or article, publishes it at a time or, with null, now, shows `done`, and returns
 * whether it is published or scheduled. It refuses to while files are uploaded. */
export function usePublishSaved({ settle, showProblem, later, onDone }: Options) {
  const { t } = useTranslation(['common', 'errors'])
  const publish = usePublishPost()
  const publishAt = useOneAtATime(async (when: Date | null, done: (changed: PostChangeOut) => string) => {
    // the published post can't get the files any more
    if (refuseWhileUploading()) return false
    const saved = await settle()
    if (!saved) return false
    return publish
      .mutateAsync(
        { path: { post_id: saved.id }, body: { version: saved.version, planned_at: when?.toISOString() ?? null } },
        {
          onSuccess: (changed) => {
            notifications.show({ message: changed.confirmed ? done(changed) : later })
            onDone(saved.id)
          },
          onError: (problem) => {
            showProblem(problem)
            if (problem.errors.length === 0) return
            const why = [...new Set(problem.errors.map((error) => problemText(t, error)))].join(' ')
            notifications.show({ color: 'red', message: t(when ? 'drafts.notScheduled' : 'drafts.notPublished', { why }) })
          },
        },
      )
      .then(
        () => true,
        () => false,
      )
  })
  return { publishAt, isPublishing: publish.isPending }
}
