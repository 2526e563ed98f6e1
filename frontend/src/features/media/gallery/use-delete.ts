import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { MediaOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { useDeleteImages, useRestoreImages, type Outcome } from '@/features/media/api'
import { nameOf } from '@/features/media/image-text'

const MOST_REASONS = 3

/**
 * Return what deletes images at once, with an undo. Images in use are kept, with the reason in the outcome. The outcome
 * is undefined while another deletion runs.
 */
export function useDelete() {
  const { t } = useTranslation(['common', 'media'])
  const remove = useDeleteImages()
  const restore = useRestoreImages()
  const showRefusals = useRefusalNotice()

  const undo = async (images: MediaOut[]) => showRefusals('media:restoreFailed', await restore.mutateAsync(images))
  const run = useOneAtATime(async (images: readonly MediaOut[]): Promise<Outcome> => {
    const outcome = await remove.mutateAsync(images)
    const [first] = outcome.done
    if (first)
      showUndo({
        message:
          outcome.done.length === 1
            ? t('media:deletedOne', { name: nameOf(t, first) })
            : t('media:deleted', { count: outcome.done.length }),
        label: t('undo'),
        undo: () => void undo(outcome.done),
      })
    return outcome
  })
  return { run, pending: remove.isPending }
}

/** Return what shows in a notification which images were refused, and why. */
export function useRefusalNotice() {
  const { t } = useTranslation(['common', 'errors', 'media'])
  return (title: 'media:deleteFailed' | 'media:restoreFailed' | 'media:tagFailed', { refused }: Outcome) => {
    if (refused.length === 0) return
    const reasons = refused
      .slice(0, MOST_REASONS)
      .map(({ image, problem }) => t('media:refusedBecause', { name: nameOf(t, image), reason: problemText(t, problem) }))
    notifications.show({
      color: 'red',
      autoClose: false,
      title: t(title, { count: refused.length }),
      message: reasons.join(' '),
    })
  }
}
