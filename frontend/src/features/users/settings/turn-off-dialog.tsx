import { Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useRemoveSecondFactor } from './api'
import { PasswordForm } from '@/components/password-form'

export function TurnOffDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const remove = useRemoveSecondFactor()
  const done = () => {
    notifications.show({ message: t('settings:turnedOff') })
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t('settings:turnOffTitle')}
    >
      <PasswordForm
        text={t('settings:turnOffText')}
        action={t('settings:turnOff')}
        pending={remove.isPending}
        withCode
        onSubmit={(current_password, onError, code) =>
          remove.mutate({ body: { current_password, code } }, { onSuccess: done, onError })
        }
        onCancel={onClose}
      />
    </Modal>
  )
}
