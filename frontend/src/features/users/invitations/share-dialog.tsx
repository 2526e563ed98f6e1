import { Button, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { InvitationOut } from '@/api/types.gen'
import { CopyField } from '@/components/copy-field'
import { useFormat } from '@/i18n/use-format'

interface ShareDialogProps {
  opened: boolean
  /** Undefined while the dialog is closed. */
  invitation: InvitationOut | undefined
  onClose: () => void
}

export function ShareDialog({ opened, invitation, onClose }: ShareDialogProps) {
  const { t } = useTranslation(['common', 'invitations'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('invitations:shareTitle')}
    >
      {invitation && <Share invitation={invitation} onDone={onClose} />}
    </Modal>
  )
}

/** Code and link to pass on. */
export function Share({ invitation, onDone }: { invitation: InvitationOut; onDone: () => void }) {
  const { t } = useTranslation(['common', 'invitations'])
  const format = useFormat()
  const { code, link, email, expires_at } = invitation
  const day = format.day(expires_at)
  return (
    <div className="stack">
      <p className="dialog-text">
        {email ? t('invitations:shareTextFor', { day, email }) : t('invitations:shareText', { day })}
      </p>
      <CopyField label={t('invitations:link')} value={link} />
      <CopyField label={t('invitations:code')} value={code} />
      <div className="dialog-foot">
        <Button onClick={onDone}>{t('done')}</Button>
      </div>
    </div>
  )
}
