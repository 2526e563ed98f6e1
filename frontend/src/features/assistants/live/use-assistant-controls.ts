import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantLiveOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { withRemedy } from '@/components/problem-text'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { isProblem, problemText } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { usePause, useResume, useRunNow, useSkip, useUnskip } from '@/features/assistants/api'
import { hasPrepared, usePreparedChoice } from '@/features/assistants/prepared-choice'
import { contentKindOfAssistant } from '@/lib/content-kind'

/** Pause, resume, run now and skip, each with its question before and its answer after. One of each at a time. */
export function useAssistantControls(live: AssistantLiveOut) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const confirm = useConfirm()
  const choose = usePreparedChoice()
  const pausing = usePause()
  const resuming = useResume()
  const running = useRunNow()
  const skipping = useSkip()
  const unskipping = useUnskip()
  // kept as long as nobody knows whether it arrived: asked for again, it is the same run
  const request = useRef<string | null>(null)
  const { assistant } = live
  const { name } = assistant
  const written = contentKindOfAssistant(assistant)
  const path = { assistant_id: assistant.id }

  const say = (message: string) => void notifications.show({ message })
  const complain = (key: 'pauseFailed' | 'resumeFailed' | 'runFailed' | 'skipFailed' | 'undoFailed', error: unknown) => {
    if (!isProblem(error)) throw error
    const message = t(`runs:live.steering.${key}`, { name, reason: problemText(t, error) })
    notifications.show({ message: withRemedy(error.code, message), color: 'red' })
  }

  const pause = useOneAtATime(async (until: Date | null) => {
    const prepared = hasPrepared(assistant)
      ? await choose(assistant, {
          title: t('runs:live.steering.pauseQuestion', { name }),
          publish: t('runs:live.steering.pausePublish'),
          cancel: t('runs:live.steering.pauseCancel'),
        })
      : 'publish'
    if (!prepared) return
    try {
      const { confirmed } = await pausing.mutateAsync({
        path,
        query: { prepared },
        body: { until: until?.toISOString() ?? null },
      })
      say(confirmed ? t('runs:live.steering.paused', { name }) : t('runs:live.steering.later'))
    } catch (error) {
      complain('pauseFailed', error)
    }
  })

  const resume = useOneAtATime(async () => {
    try {
      const { confirmed } = await resuming.mutateAsync({ path })
      say(confirmed ? t('runs:live.steering.resumed', { name }) : t('runs:live.steering.later'))
    } catch (error) {
      complain('resumeFailed', error)
    }
  })

  const run = useOneAtATime(async () => {
    const channels = assistant.website?.name ?? format.list(assistant.accounts.map(({ kind }) => channelName(kind)))
    const sure =
      assistant.mode !== 'automatic' ||
      (await confirm({
        title: t(`runs:live.steering.runQuestion.${written}`),
        text: t(`runs:live.steering.runText.${written}`, { name, channels }),
        action: t('runs:live.steering.runAction'),
      }))
    if (!sure) return
    request.current ??= newRequestId()
    try {
      await running.mutateAsync({ path, body: { request_id: request.current } })
      request.current = null
      say(t('runs:live.steering.running', { name }))
    } catch (error) {
      complain('runFailed', error)
    }
  })

  const unskip = async (slot: string) => {
    try {
      await unskipping.mutateAsync({ path, body: { slot } })
      say(t('runs:live.steering.undone', { when: format.dayAndTime(slot) }))
    } catch (error) {
      complain('undoFailed', error)
    }
  }

  const skip = useOneAtATime(async (slot: string) => {
    const when = format.dayAndTime(slot)
    const { open_run } = assistant
    const begun = open_run !== null && !open_run.by_hand && open_run.slot === slot
    const sure =
      !begun ||
      (await confirm({
        title: t(`runs:live.steering.skipQuestion.${written}`, { when }),
        text: t('runs:live.steering.skipText'),
        action: t(`runs:live.steering.skipAction.${written}`),
      }))
    if (!sure) return
    try {
      const { undo_until } = await skipping.mutateAsync({ path, body: { slot } })
      const message = t('runs:live.steering.skipped', { when })
      if (undo_until && Date.parse(undo_until) > Date.parse(live.now))
        showUndo({ message, label: t('runs:live.steering.undo'), undo: () => void unskip(slot) })
      else say(message)
    } catch (error) {
      complain('skipFailed', error)
    }
  })

  const busy = pausing.isPending
    ? ('pause' as const)
    : resuming.isPending
      ? ('resume' as const)
      : running.isPending
        ? ('run' as const)
        : skipping.isPending
          ? ('skip' as const)
          : null
  return { busy, pause, resume, run, skip }
}
