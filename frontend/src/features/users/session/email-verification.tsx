import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { readPublicFactsOptions } from '@/api/@tanstack/react-query.gen'
import { useSignOut, waitingMeQuery } from './api'
import { ResendButton } from './resend-button'

interface EmailVerificationProps {
  /** The path to open once the address is verified. */
  next: string
  sentAt?: number
  /** Renders the change of the address; `email` is the current one. */
  changeEmail: (email: string) => ReactNode
}

/** The page that waits until the link of the mail is opened, on any device. */
export function EmailVerification({ next, sentAt, changeEmail }: EmailVerificationProps) {
  const { t } = useTranslation(['common', 'navigation', 'session'])
  const { data: me } = useQuery(waitingMeQuery)
  const { data: facts } = useQuery({ ...readPublicFactsOptions(), staleTime: Infinity })
  const signOut = useSignOut()
  if (me?.is_email_verified) return <Navigate replace to={next} />
  return (
    <section className="auth-box">
      <Title order={1}>{t('session:waitTitle')}</Title>
      <p className="mid">
        {me && (
          <Trans t={t}
            i18nKey="session:waitLead"
            values={{ email: me.email }}
            components={{ address: <span className="auth-address" /> }}
          />
        )}
      </p>
      {facts?.mail_outbox_url ? (
        <p className="mid">
          {t('session:outbox')}{' '}
          <a className="link" href={facts.mail_outbox_url} target="_blank" rel="noreferrer">
            {t('session:openOutbox')}
          </a>
        </p>
      ) : (
        <p className="mid">{t('session:noMail')}</p>
      )}
      <ResendButton sentAt={sentAt} />
      <div className="auth-row">
        {me && changeEmail(me.email)}
        <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
          {t('navigation:logout')}
        </Button>
      </div>
    </section>
  )
}
