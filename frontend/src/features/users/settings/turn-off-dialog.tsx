import { Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useRemoveSecondFactor } from './api'
import { PasswordForm } from '@/components/password-form'

export function TurnOffDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['common', 'account'])
  const remove = useRemoveSecondFactor()
  const done = () => {
    notifications.show({ message: t('account:turnedOff') })
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t('account:turnOffTitle')}
    >
      <PasswordForm
        text={t('account:turnOffText')}
        action={t('account:turnOff')}
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
