import { Loader, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { linkQuery } from './api'
import { SignInForm } from './sign-in-form'

interface SignInByLinkProps {
  token: string
  onSignedIn: () => void
}

/** Log in with the token of a link; if that fails, show the login form. */
export function SignInByLink({ token, onSignedIn }: SignInByLinkProps) {
  const { t } = useTranslation(['common', 'errors', 'session'])
  const link = useQuery(linkQuery(token))
  useEffect(() => {
    if (link.isSuccess) onSignedIn()
    // once, when the response arrives
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [link.isSuccess])
  if (link.isError) return <SignInForm failure={t('errors:login_failed')} onSignedIn={onSignedIn} />
  return (
    <div className="auth-box" role="status">
      <Title order={1}>{t('session:signingIn')}</Title>
      <Loader size={22} aria-hidden />
    </div>
  )
}
