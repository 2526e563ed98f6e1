import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { AssistantLiveOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { withRemedy } from '@/components/problem-text'
import { useProblemText } from '@/components/use-problem-text'
import { useRunCommands } from '@/components/use-run-commands'
import { useFormat } from '@/i18n/use-format'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { isProblem } from '@/lib/problems'
import { usePause, useResume } from '@/features/assistants/api'
import { hasPrepared, usePreparedChoice } from '@/features/assistants/prepared-choice'
import { contentKindOfAssistant } from '@/lib/content-kind'

/**
 * Return the commands pause, resume, run now and skip: each asks first if needed and reports its result. Each runs once
 * at a time.
 */
export function useAssistantControls(live: AssistantLiveOut) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const confirm = useConfirm()
  const choose = usePreparedChoice()
  const problemText = useProblemText()
  const pausing = usePause()
  const resuming = useResume()
  const { assistant } = live
  const { name } = assistant
  const written = contentKindOfAssistant(assistant)
  const path = { assistant_id: assistant.id }
  const channels = assistant.website?.name ?? format.list(assistant.accounts.map(({ kind }) => channelName(kind)))
  const commands = useRunCommands({ id: assistant.id, name, mode: assistant.mode, written, channels })

  const notify = (message: string) => void notifications.show({ message })
  const showFailure = (key: 'pauseFailed' | 'resumeFailed', error: unknown) => {
    if (!isProblem(error)) throw error
    const message = t(`runs:live.steering.${key}`, { name, reason: problemText(error) })
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
      notify(confirmed ? t('runs:live.steering.paused', { name }) : t('runs:live.steering.later'))
    } catch (error) {
      showFailure('pauseFailed', error)
    }
  })

  const resume = useOneAtATime(async () => {
    try {
      const { confirmed } = await resuming.mutateAsync({ path })
      notify(confirmed ? t('runs:live.steering.resumed', { name }) : t('runs:live.steering.later'))
    } catch (error) {
      showFailure('resumeFailed', error)
    }
  })

  const run = useOneAtATime(commands.run)

  const skip = useOneAtATime(async (slot: string) => {
    const { open_run } = assistant
    const hasStarted = open_run !== null && !open_run.by_hand && open_run.slot === slot
    const sure =
      !hasStarted ||
      (await confirm({
        title: t(`runs:live.steering.skipQuestion.${written}`, { when: format.dayAndTime(slot) }),
        text: t('runs:live.steering.skipText'),
        action: t(`runs:live.steering.skipAction.${written}`),
      }))
    if (sure) await commands.skip(slot, live.now)
  })

  const busy = pausing.isPending
    ? ('pause' as const)
    : resuming.isPending
      ? ('resume' as const)
      : commands.isRunning
        ? ('run' as const)
        : commands.isSkipping
          ? ('skip' as const)
          : null
  return { busy, pause, resume, run, skip }
}
