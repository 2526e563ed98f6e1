import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOut, FieldProblem } from '@/api/types.gen'
import { Modal } from '@/components/dialog'
import { problemText } from '@/lib/problems'
import { useSwitch } from './api'
import { nameText } from './links'
import { MissingList } from './missing-list'
import { hasPrepared, usePreparedChoice } from './prepared-choice'

interface Refusal {
  assistant: AssistantOut
  problems: FieldProblem[]
}

/** Activates and deactivates. `dialog` has to be drawn: a refusal opens it with the list of what is missing. */
export function useActivation() {
  const { t } = useTranslation()
  const change = useSwitch()
  const choose = usePreparedChoice()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [opened, setOpened] = useState(false)

  const set = async (assistant: AssistantOut, active: boolean) => {
    const prepared =
      !active && hasPrepared(assistant)
        ? await choose(assistant, {
            title: t('assistants.deactivateQuestion', { name: nameText(t, assistant) }),
            publish: t('assistants.deactivatePublish'),
            cancel: t('assistants.deactivateCancel'),
          })
        : 'publish'
    if (!prepared) return
    change.mutate(
      { assistant, active, prepared },
      {
        onSuccess: ({ confirmed }) => {
          if (!confirmed) notifications.show({ message: t('assistants.activateLater') })
        },
        onError: (problem) => {
          if (problem.code === 'assistant_incomplete') {
            setRefusal({ assistant, problems: problem.errors })
            setOpened(true)
            return
          }
          const message = t('assistants.switchFailed', { name: nameText(t, assistant), reason: problemText(t, problem) })
          notifications.show({ message, color: 'red' })
        },
      },
    )
  }
  const close = () => setOpened(false)
  const dialog = (
    <Modal opened={opened} onClose={close} title={t('assistants.notYet')}>
      <Text c="var(--pl-text-2)">{t('assistants.notYetText')}</Text>
      {refusal && <MissingList assistant={refusal.assistant} problems={refusal.problems} onFollow={close} />}
    </Modal>
  )
  return { set, busy: change.isPending ? change.variables.assistant.id : null, dialog }
}
