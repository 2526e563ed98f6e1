import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from '@/i18n/translation'
import { ChangeEmailDialog } from './change-email-dialog'

/** For whoever cannot open the link of the mail, since the address is wrong. */
export function ChangeEmailLink({ email }: { email: string }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <UnstyledButton className="link" onClick={open}>
        {t('session.changeEmail')}
      </UnstyledButton>
      <ChangeEmailDialog email={email} opened={opened} onClose={close} />
    </>
  )
}
