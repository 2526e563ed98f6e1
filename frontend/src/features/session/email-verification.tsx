import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Trans, useTranslation } from 'react-i18next'
import { Link, Navigate } from 'react-router'
import { profilePath } from '@/lib/paths'
import { useSignOut, waitingMeQuery } from './api'
import { ResendButton } from './resend-button'

interface EmailVerificationProps {
  /** Where to go on once the address is verified. */
  next: string
  sentAt?: number
}

/** Waits until the link of the mail was opened, here or on any other device. */
export function EmailVerification({ next, sentAt }: EmailVerificationProps) {
  const { t } = useTranslation()
  const { data: me } = useQuery(waitingMeQuery)
  const signOut = useSignOut()
  if (me?.is_email_verified) return <Navigate replace to={next} />
  return (
    <section className="auth-box">
      <Title order={1}>{t('session.waitTitle')}</Title>
      <p className="mid">
        {me && (
          <Trans
            i18nKey="session.waitLead"
            values={{ email: me.email }}
            components={{ address: <span className="auth-address" /> }}
          />
        )}
      </p>
      <p className="mid">{t('session.noMail')}</p>
      <ResendButton sentAt={sentAt} />
      <div className="auth-row">
        <Link className="link" to={profilePath}>
          {t('session.changeEmail')}
        </Link>
        <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
          {t('navigation.logout')}
        </Button>
      </div>
    </section>
  )
}
