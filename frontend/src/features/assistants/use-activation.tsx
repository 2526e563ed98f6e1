import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { lazyPart } from '@/components/lazy-part'
import { problemText, type Problem } from '@/lib/problems'
import { useSwitch } from './api'
import { demoQuestion, showDemoNotice } from './demo-texts'
import { nameText } from './links'
import { hasPrepared, usePreparedChoice } from './prepared-choice'
import type { Refusal } from './refusal-dialog'

const RefusalDialog = lazyPart(
  async () => (await import('./refusal-dialog')).RefusalDialog,
)

/** Refusals that the user has to resolve before retrying, shown in the dialog. */
const SHOWN_IN_DIALOG: readonly Problem['code'][] = ['assistant_incomplete', 'subscription_required']

/** Return what activates and deactivates assistants. Render `dialog`, which opens if something is missing. */
export function useActivation() {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const change = useSwitch()
  const choose = usePreparedChoice()
  const confirm = useConfirm()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [opened, setOpened] = useState(false)

  const set = async (assistant: AssistantOut, active: boolean) => {
    const prepared =
      !active && hasPrepared(assistant)
        ? await choose(assistant, {
            title: t('assistants:deactivateQuestion', { name: nameText(t, assistant) }),
            publish: t('assistants:deactivatePublish'),
            cancel: t('assistants:deactivateCancel'),
          })
        : 'publish'
    if (!prepared) return
    if (active && assistant.asks_about_demo && !(await confirm(demoQuestion(t, assistant)))) return
    change.mutate(
      { assistant, active, prepared },
      {
        onSuccess: ({ confirmed }) => {
          if (!confirmed) notifications.show({ message: t('assistants:activateLater') })
          if (active) showDemoNotice(t, assistant)
        },
        onError: (problem) => {
          if (SHOWN_IN_DIALOG.includes(problem.code)) {
            setRefusal({ assistant, problem })
            setOpened(true)
            return
          }
          const message = t('assistants:switchFailed', { name: nameText(t, assistant), reason: problemText(t, problem) })
          notifications.show({ message, color: 'red' })
        },
      },
    )
  }
  const dialog = <RefusalDialog opened={opened} refusal={refusal} onClose={() => setOpened(false)} />
  return { set, busy: change.isPending ? change.variables.assistant.id : null, dialog }
}
