import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'

const ChangeEmailDialog = lazyPart(async () => (await import('./change-email-dialog')).ChangeEmailDialog)

/** The link that changes a wrong address, whose mail cannot be opened. */
export function ChangeEmailLink({ email }: { email: string }) {
  const { t } = useTranslation(['common', 'session'])
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <UnstyledButton className="link" onClick={open}>
        {t('session:changeEmail')}
      </UnstyledButton>
      <ChangeEmailDialog email={email} opened={opened} onClose={close} />
    </>
  )
}
