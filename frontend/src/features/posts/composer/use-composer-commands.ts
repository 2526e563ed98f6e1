import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, FitOut } from '@/api/types.gen'
import { accountName } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { usePublishSaved } from '@/components/use-publish-saved'
import { focusField } from '@/components/use-save-errors'
import { useCheckFit } from '@/features/posts/api'
import { useFormat } from '@/i18n/use-format'
import { keepFocus } from '@/lib/keep-focus'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { refuseWhileUploading } from '@/lib/running-uploads'
import { plannedAt } from '@/lib/time-zones'
import { TIME_FIELD } from './composer-values'
import type { EditedPost } from './use-composer'

/** An account whose network refuses the post. */
interface Refused {
  account: AccountOut
  problems: FitOut['problems']
}

/** Return the commands of the composer. Each one saves the post first, and shows the problem if that fails. */
export function useComposerCommands(edited: EditedPost, accounts: readonly AccountOut[], showPost: (id: string) => void) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const confirm = useConfirm()
  const checkFit = useCheckFit()
  const [isChecking, setChecking] = useState(false)
  const { form } = edited

  const { publishAt, isPublishing } = usePublishSaved({
    settle: edited.settle,
    showProblem: edited.show,
    later: t('posts:actions.later'),
    onDone: showPost,
  })

  /** Run a command that publishes or schedules, one at a time. */
  const run = useOneAtATime(async (command: () => Promise<void>) => {
    const pressed = document.activeElement
    await command()
    // a button loses the focus while it is disabled
    if (pressed instanceof HTMLElement) keepFocus(() => pressed)
  })

  async function publishNow() {
    if (refuseWhileUploading()) return
    if (accounts.length === 0) {
      form.setFieldError('account_ids', t('posts:composer.accountMissing'))
      focusField('account_ids')
      return
    }
    const { refused, taking, whyNot } = await checkAccounts()
    if (taking.length === 0) return refuse('drafts.notPublished', refused, whyNot)
    const namesOf = (ofAccounts: readonly AccountOut[]) => format.list(ofAccounts.map(accountName))
    const away = taking.filter(({ state }) => state !== 'connected')
    const connected = taking.filter(({ state }) => state === 'connected')
    const sure = await confirm({
      title: t('posts:actions.publishTitle.post'),
      text: [
        refused.length > 0 && t('posts:composer.notPublishedTo', { why: whyNot }),
        connected.length > 0 && t('posts:composer.publishText', { names: namesOf(connected) }),
        away.length > 0 && t('posts:actions.publishHeld', { names: namesOf(away), count: away.length }),
      ]
        .filter(Boolean)
        .join(' '),
      action: t(refused.length > 0 ? 'posts:composer.publishWithout' : 'posts:actions.publish', { count: refused.length }),
    })
    if (!sure) return
    await publishWithout(refused, null, () => t('posts:actions.published'))
  }

  /** Return the accounts whose networks take the post, those whose networks refuse it, and why. */
  async function checkAccounts() {
    // what can't be checked now is checked when it is published
    setChecking(true)
    const fits = await checkFit(form.getValues(), edited.saved?.id ?? null)
      .catch(() => [])
      .finally(() => setChecking(false))
    const problemsOf = ({ id }: AccountOut) => fits.find(({ account_id }) => account_id === id)?.problems ?? []
    const refused = accounts.flatMap((account) => {
      const problems = problemsOf(account)
      return problems.length > 0 ? { account, problems } : []
    })
    const whyNot = refused
      .map(({ account, problems }) => `${accountName(account)}: ${problems.map((problem) => problemText(t, problem)).join(' ')}`)
      .join(' ')
    return { refused, taking: accounts.filter((account) => problemsOf(account).length === 0), whyNot }
  }

  /** Show at the fields and in a message why nothing is published. */
  function refuse(message: 'drafts.notPublished' | 'drafts.notScheduled', refused: readonly Refused[], why: string) {
    edited.show({ status: 422, code: 'invalid_input', detail: '', params: {}, errors: refused.flatMap(({ problems }) => problems) })
    notifications.show({ color: 'red', message: t(message, { why }) })
  }

  /** Publish without the accounts that refuse the post. If that fails, they are chosen again. */
  async function publishWithout(refused: readonly Refused[], ...publishing: Parameters<typeof publishAt>) {
    const chosen = form.getValues().account_ids
    if (refused.length > 0)
      form.setFieldValue(
        'account_ids',
        chosen.filter((id) => refused.every(({ account }) => account.id !== id)),
      )
    const isPublished = await publishAt(...publishing)
    if (!isPublished && refused.length > 0) form.setFieldValue('account_ids', (now) => [...new Set([...chosen, ...now])])
  }

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
    const { refused, taking, whyNot } = await checkAccounts()
    if (refused.length > 0) {
      if (taking.length === 0) return refuse('drafts.notScheduled', refused, whyNot)
      const sure = await confirm({
        title: t('posts:composer.scheduleTitle'),
        text: t('posts:composer.notPublishedTo', { why: whyNot }),
        action: t('posts:composer.scheduleWithout', { count: refused.length }),
      })
      if (!sure) return
    }
    await publishWithout(refused, when, ({ post: changed }) =>
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

  return {
    publishNow: () => run(publishNow),
    schedule: () => run(schedule),
    save,
    /** Whether the post is checked for publishing, published or scheduled. */
    isPublishing: isPublishing || isChecking,
  }
}

export type ComposerCommands = ReturnType<typeof useComposerCommands>
