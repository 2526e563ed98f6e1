import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSignOut } from './api'
import './session.css'

/** The links in the top bar for users without the side navigation. */
export function UserLinks({ email }: { email: string }) {
  const { t } = useTranslation(['common', 'navigation'])
  const signOut = useSignOut()
  return (
    <>
      <span className="ptop-me">{email}</span>
      <UnstyledButton className="ptop-cta" onClick={() => void signOut()}>
        {t('navigation:logout')}
      </UnstyledButton>
    </>
  )
}
