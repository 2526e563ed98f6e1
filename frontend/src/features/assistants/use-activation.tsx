import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { Modal } from '@/components/dialog'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'
import { problemText, type Problem } from '@/lib/problems'
import { useSwitch } from './api'
import { nameText } from './links'
import { MissingList } from './missing-list'
import { hasPrepared, usePreparedChoice } from './prepared-choice'

interface Refusal {
  assistant: AssistantOut
  problem: Problem
}

/** Refusals that somebody has to do something about before another try. */
const TOLD_IN_DIALOG: readonly Problem['code'][] = ['assistant_incomplete', 'subscription_required']

/** Activates and deactivates. `dialog` has to be drawn: a refusal opens it with what is missing. */
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
          if (TOLD_IN_DIALOG.includes(problem.code)) {
            setRefusal({ assistant, problem })
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
      {refusal?.problem.code === 'subscription_required' ? (
        <>
          <p className="said quiet">{problemText(t, refusal.problem)}</p>
          <div className="buttons at-end">
            <Button variant="default" onClick={close}>
              {t('common.close')}
            </Button>
            <Button component={Link} to={paths.subscription} onClick={close}>
              {t('remedies.subscription')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="said quiet">{t('assistants.notYetText')}</p>
          {refusal && <MissingList assistant={refusal.assistant} problems={refusal.problem.errors} onFollow={close} />}
        </>
      )}
    </Modal>
  )
  return { set, busy: change.isPending ? change.variables.assistant.id : null, dialog }
}
