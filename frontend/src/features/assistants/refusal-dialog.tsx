import { Button, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { paths } from '@/lib/paths'
import { problemText, type Problem } from '@/lib/problems'
import { MissingList } from './missing-list'

export interface Refusal {
  assistant: AssistantOut
  problem: Problem
}

interface RefusalDialogProps {
  opened: boolean
  refusal: Refusal | null
  onClose: () => void
}

/** Why an assistant cannot be activated yet, and the way to what is missing. */
export function RefusalDialog({ opened, refusal, onClose }: RefusalDialogProps) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('assistants:notYet')}>
      {refusal?.problem.code === 'subscription_required' ? (
        <>
          <p className="prose quiet">{problemText(t, refusal.problem)}</p>
          <div className="buttons at-end">
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
            <Button component={Link} to={paths.subscription} onClick={onClose}>
              {t('errors:remedies.subscription')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="prose quiet">{t('assistants:notYetText')}</p>
          {refusal && <MissingList assistant={refusal.assistant} problems={refusal.problem.errors} onFollow={onClose} />}
        </>
      )}
    </Modal>
  )
}
