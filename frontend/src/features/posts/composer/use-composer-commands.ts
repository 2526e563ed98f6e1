import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { AccountOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { usePublishSaved } from '@/components/use-publish-saved'
import { focusField } from '@/components/use-save-errors'
import { useFormat } from '@/i18n/use-format'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { refuseWhileUploading } from '@/lib/running-uploads'
import { plannedAt } from '@/lib/time-zones'
import { TIME_FIELD } from './composer-values'
import type { EditedPost } from './use-composer'

/** Return the commands of the composer. Each one saves the post first, and shows the problem if that fails. */
export function useComposerCommands(edited: EditedPost, accounts: readonly AccountOut[], showPost: (id: string) => void) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const confirm = useConfirm()
  const { form } = edited

  const { publishAt, isPublishing } = usePublishSaved({
    settle: edited.settle,
    showProblem: edited.show,
    later: t('posts:actions.later'),
    onDone: showPost,
  })

  const publishNow = useOneAtATime(async () => {
    if (refuseWhileUploading()) return
    if (accounts.length === 0) {
      form.setFieldError('account_ids', t('posts:composer.accountMissing'))
      focusField('account_ids')
      return
    }
    const namesOf = (ofAccounts: readonly AccountOut[]) => format.list(ofAccounts.map(({ name, kind }) => `${name} (${channelName(kind)})`))
    const away = accounts.filter(({ state }) => state !== 'connected')
    const connected = accounts.filter(({ state }) => state === 'connected')
    const sure = await confirm({
      title: t('posts:actions.publishTitle.post'),
      text: [
        connected.length > 0 && t('posts:composer.publishText', { names: namesOf(connected) }),
        away.length > 0 && t('posts:actions.publishHeld', { names: namesOf(away), count: away.length }),
      ]
        .filter(Boolean)
        .join(' '),
      action: t('posts:actions.publish'),
    })
    if (sure) await publishAt(null, () => t('posts:actions.published'))
  })

  /** Return the time at which the post is to go out. Without one, ask for it at its field. */
  function requireTime() {
    const when = plannedAt(form.values)
    if (!when) {
      form.setFieldError('planned_at', t('drafts.timeMissing'))
      document.getElementById(TIME_FIELD)?.focus()
    }
    return when
  }

  async function schedule() {
    if (refuseWhileUploading()) return
    const when = requireTime()
    if (!when) return
    await publishAt(when, ({ post: changed }) =>
      t('posts:actions.scheduled', { when: format.atMoment(changed.planned_at ?? when.toISOString()) }),
    )
  }

  const save = useOneAtATime(async (approved: boolean) => {
    // a draft can get the files later
    if (edited.onItsWay && (refuseWhileUploading() || !requireTime())) return
    const saved = await edited.settle(approved)
    if (!saved) return
    if (edited.onItsWay) showPost(saved.id)
    notifications.show({ message: t(approved ? 'drafts.approved' : 'drafts.saved') })
  })

  return { publishNow, schedule, save, isPublishing }
}

export type ComposerCommands = ReturnType<typeof useComposerCommands>
