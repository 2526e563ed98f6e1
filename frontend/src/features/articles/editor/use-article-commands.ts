import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { ArticleOut, WebsiteOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { showUndo } from '@/components/undo'
import { usePublishSaved } from '@/components/use-publish-saved'
import { focusField } from '@/components/use-save-errors'
import { useDeleteArticle, useUpdateArticle } from '@/features/articles/api'
import { useFormat } from '@/i18n/use-format'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { refuseWhileUploading } from '@/lib/running-uploads'
import { plannedAt } from '@/lib/time-zones'
import type { EditedArticle } from './use-article'

interface Options {
  edited: EditedArticle
  website: WebsiteOut | undefined
  /** Called when the article is scheduled, published, updated or left, and nothing is left to write. */
  onDone: (articleId: string) => void
  onDeleted: () => void
}

/** Return the commands of the article editor. Each one saves the article first, and shows the problem if that fails. */
export function useArticleCommands({ edited, website, onDone, onDeleted }: Options) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const format = useFormat()
  const confirm = useConfirm()
  const update = useUpdateArticle()
  const deletion = useDeleteWithUndo(edited, onDeleted)
  const { form, saved: savedArticle, onItsWay } = edited
  const { values } = form

  const { publishAt, isPublishing } = usePublishSaved({
    settle: edited.settle,
    showProblem: edited.show,
    later: t('articles:editor.later'),
    onDone,
  })

  const publishNow = useOneAtATime(async () => {
    if (refuseWhileUploading()) return
    if (!values.website_id) {
      form.setFieldError('website_id', t('articles:editor.noWebsite'))
      focusField('website_id')
      return
    }
    const name = website?.name ?? savedArticle?.website_name ?? t('articles:website')
    const isAway = website !== undefined && website.state !== 'connected'
    const sure = await confirm({
      title: t('articles:editor.publishTitle'),
      text: t(isAway ? 'articles:editor.publishHeld' : 'articles:editor.publishText', { name }),
      action: t('articles:editor.publish'),
    })
    if (sure) await publishAt(null, () => t('articles:editor.goesOutNow'))
  })

  async function schedule() {
    if (refuseWhileUploading()) return
    const when = plannedAt(values)
    if (!when) {
      form.setFieldError('planned_at', t('drafts.timeMissing'))
      focusField('planned_at')
      return
    }
    await publishAt(when, ({ post }) => t('articles:editor.scheduled', { when: format.atMoment(post.planned_at ?? when.toISOString()) }))
  }

  const save = useOneAtATime(async (approved: boolean) => {
    // a draft can get the files later
    if (onItsWay && refuseWhileUploading()) return
    const saved = await edited.settle(approved)
    if (!saved) return
    notifications.show({ message: t(approved ? 'drafts.approved' : 'drafts.saved') })
    if (onItsWay) onDone(saved.id)
  })

  const updateAtSite = useOneAtATime(async () => {
    if (refuseWhileUploading()) return
    const saved = await edited.settle()
    if (!saved) return
    await update
      .mutateAsync(
        { path: { article_id: saved.id }, body: { version: saved.version } },
        {
          onSuccess: () => {
            notifications.show({ message: t('articles:editor.atSite.asked') })
            onDone(saved.id)
          },
          onError: (problem) => edited.show(problem),
        },
      )
      .catch(() => undefined)
  })

  const leave = useOneAtATime(async () => {
    const saved = await edited.settle()
    if (saved) onDone(saved.id)
  })

  return {
    publishNow,
    schedule,
    save,
    updateAtSite,
    leave,
    deleteArticle: deletion.start,
    isPublishing,
    isUpdating: update.isPending,
    isDeleting: deletion.isPending,
  }
}

export type ArticleCommands = ReturnType<typeof useArticleCommands>

/** Delete the article, with an undo that restores it as it was typed last. */
function useDeleteWithUndo(edited: EditedArticle, onDeleted: () => void) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const remove = useDeleteArticle()

  const restore = (saved: ArticleOut) =>
    // the editor is closed by then, so the notice must not depend on it
    void remove
      .mutateAsync({ article: saved, action: 'restore' })
      .then(() => notifications.show({ message: t('articles:restored') }))
      .catch((problem: Parameters<typeof problemText>[1]) =>
        notifications.show({ color: 'red', message: `${t('articles:restoreFailed')} ${problemText(t, problem)}` }),
      )

  const start = useOneAtATime(async () => {
    // the undo also brings back what was typed last
    const saved = await edited.settle()
    if (!saved) return
    remove.mutate(
      { article: saved, action: 'delete' },
      {
        onSuccess: () => {
          showUndo({ message: t('articles:deleted'), label: t('undo'), undo: () => restore(saved) })
          onDeleted()
        },
        onError: (problem) =>
          notifications.show({ color: 'red', message: `${t('articles:deleteFailed')} ${problemText(t, problem)}` }),
      },
    )
  })
  return { start, isPending: remove.isPending }
}
