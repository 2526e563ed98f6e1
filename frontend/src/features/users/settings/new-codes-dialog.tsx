import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRenewRecoveryCodes } from './api'
import { PasswordForm } from '@/components/password-form'
import { RecoveryCodes } from './recovery-codes'

export function NewCodesDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const renew = useRenewRecoveryCodes()
  const [codes, setCodes] = useState<string[]>()
  const leave = () => {
    onClose()
    setCodes(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={leave}
      size="md"
      title={t(codes ? 'settings:codesTitle' : 'settings:newCodes')}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      withCloseButton={!codes}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={leave} />
      ) : (
        <PasswordForm
          text={t('settings:newCodesText')}
          action={t('settings:newCodes')}
          pending={renew.isPending}
          onSubmit={(current_password, onError) =>
            renew.mutate(
              { body: { current_password } },
              { onSuccess: ({ recovery_codes }) => setCodes(recovery_codes), onError },
            )
          }
          onCancel={leave}
        />
      )}
    </Modal>
  )
}
