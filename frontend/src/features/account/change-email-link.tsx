import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { later } from '@/components/later'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'

const ChangeEmailDialog = later(async () => (await withTexts(import('./change-email-dialog'), 'account')).ChangeEmailDialog)

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
