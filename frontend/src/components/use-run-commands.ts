import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { runAssistantNowMutation, skipNextSlotMutation, unskipSlotMutation } from '@/api/@tanstack/react-query.gen'
import type { Mode } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'
import type { ContentKind } from '@/lib/content-kind'
import { isProblem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'
import { newRequestId } from '@/lib/request-id'
import { useConfirm } from './confirm'
import { withRemedy } from './problem-text'
import { showUndo } from './undo'
import { useProblemText } from './use-problem-text'

interface Assistant {
  id: string
  name: string
}

interface RunnableAssistant extends Assistant {
  mode: Mode
  written: ContentKind
  /** Where it publishes, as a text. */
  channels: string
}

function useShowFailure({ name }: Assistant) {
  const { t } = useTranslation(['common', 'runs'])
  const problemText = useProblemText()
  return (key: 'runFailed' | 'skipFailed' | 'undoFailed', error: unknown) => {
    if (!isProblem(error)) throw error
    const message = t(`runs:live.steering.${key}`, { name, reason: problemText(error) })
    notifications.show({ color: 'red', message: withRemedy(error.code, message) })
  }
}

/** Return the command that takes the skip of an assistant's slot back, and shows its outcome. */
export function useUnskip(assistant: Assistant) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const showFailure = useShowFailure(assistant)
  const unskipping = useMutation({ ...unskipSlotMutation(), onSettled: useRefetchPosts() })
  const unskip = async (slot: string) => {
    try {
      await unskipping.mutateAsync({ path: { assistant_id: assistant.id }, body: { slot } })
      notifications.show({ message: t('runs:live.steering.undone', { when: format.dayAndTime(slot) }) })
    } catch (error) {
      showFailure('undoFailed', error)
    }
  }
  return { unskip, isUnskipping: unskipping.isPending }
}

/** Return the commands to run an assistant now and to skip a slot. Each shows its outcome, and returns true if it is done. */
export function useRunCommands(assistant: RunnableAssistant) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const confirm = useConfirm()
  const showFailure = useShowFailure(assistant)
  const { unskip } = useUnskip(assistant)
  const refetch = useRefetchPosts()
  const running = useMutation({ ...runAssistantNowMutation(), onSettled: refetch })
  const skipping = useMutation({ ...skipNextSlotMutation(), onSettled: refetch })
  // kept until an answer arrives: repeated with the same id, the request starts no second run
  const request = useRef<string | null>(null)
  const { name, written, channels } = assistant
  const path = { assistant_id: assistant.id }

  const run = async () => {
    const sure =
      assistant.mode !== 'automatic' ||
      (await confirm({
        title: t(`runs:live.steering.runQuestion.${written}`),
        text: t(`runs:live.steering.runText.${written}`, { name, channels }),
        action: t('runs:live.steering.runAction'),
      }))
    if (!sure) return false
    request.current ??= newRequestId()
    try {
      await running.mutateAsync({ path, body: { request_id: request.current } })
    } catch (error) {
      showFailure('runFailed', error)
      return false
    }
    request.current = null
    notifications.show({ message: t('runs:live.steering.running', { name }) })
    return true
  }

  /** `now`: the server's time. With it no undo is offered for a run that has begun. */
  const skip = async (slot: string, now?: string) => {
    try {
      const { undo_until } = await skipping.mutateAsync({ path, body: { slot } })
      const message = t('runs:live.steering.skipped', { when: format.dayAndTime(slot) })
      if (undo_until && (!now || Date.parse(undo_until) > Date.parse(now)))
        showUndo({ message, label: t('runs:live.steering.undo'), undo: () => void unskip(slot) })
      else notifications.show({ message })
      return true
    } catch (error) {
      showFailure('skipFailed', error)
      return false
    }
  }

  return { run, skip, isRunning: running.isPending, isSkipping: skipping.isPending }
}
