import { Button, Loader, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { paths, profilePath, signInPath } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { meQuery, verifyQuery } from './api'
import { ResendButton } from './resend-button'
import './session.css'

const SHOWN_FOR = 2_500 // ms

interface VerifyEmailProps {
  /** The token in the link of the mail; empty if missing. */
  token: string
  signedIn: boolean
}

/** The page of a mail's link: it verifies after a click, since programs that scan mails open links too. */
export function VerifyEmail({ token, signedIn }: VerifyEmailProps) {
  const { t } = useTranslation(['common', 'errors', 'session'])
  const [clicked, setClicked] = useState(false)
  const link = useQuery({ ...verifyQuery(token), enabled: clicked })
  if (token && !clicked && !link.data)
    return (
      <section className="auth-box">
        <Title order={1}>{t('session:waitTitle')}</Title>
        <p className="mid">{t('session:verifyLead')}</p>
        <Button size="md" fullWidth onClick={() => setClicked(true)}>
          {t('session:verify')}
        </Button>
      </section>
    )
  if (link.data) return <Verified email={link.data.email} signedIn={signedIn} />
  if (token && link.isFetching)
    return (
      <div className="auth-box" role="status">
        <Title order={1}>{t('session:verifying')}</Title>
        <Loader size={22} aria-hidden />
      </div>
    )
  // a refusal is final; after a failed call the link still works
  const refused = !link.error || (link.error.status >= 400 && link.error.status < 500 && link.error.status !== 429)
  return (
    <section className="auth-box">
      <div role="alert">
        <Title order={1}>{t(refused ? 'session:verificationFailed' : 'session:verifyFailed')}</Title>
        <p className="mid">{link.error ? problemText(t, link.error) : t('session:linkIncomplete')}</p>
      </div>
      {refused ? (
        <AnotherLink signedIn={signedIn} />
      ) : (
        <Button size="md" fullWidth onClick={() => void link.refetch()}>
          {t('tryAgain')}
        </Button>
      )}
    </section>
  )
}

/** The confirmation, which continues automatically. */
function Verified({ email, signedIn }: { email: string; signedIn: boolean }) {
  const { t } = useTranslation(['common', 'session'])
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const next = signedIn ? paths.root : paths.signIn
  useEffect(() => {
    void queryClient.invalidateQueries(meQuery)
    const timer = setTimeout(() => void navigate(next, { replace: true }), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [queryClient, navigate, next])
  return (
    <div className="auth-box">
      <div role="status">
        <Title order={1}>{t('session:verified')}</Title>
        <p className="mid">
          <Trans t={t}
            i18nKey={signedIn ? 'session:verifiedToDashboard' : 'session:verifiedToSignIn'}
            values={{ email }}
            components={{ address: <span className="auth-address" /> }}
          />
        </p>
      </div>
      <Button component={Link} to={next} replace size="md" fullWidth>
        {t(signedIn ? 'session:toDashboard' : 'session:signIn')}
      </Button>
    </div>
  )
}

/** How to get another link: by a button, in the profile for a new address, or after the login. */
function AnotherLink({ signedIn }: { signedIn: boolean }) {
  const { t } = useTranslation(['common', 'session'])
  const { data: me } = useQuery({ ...meQuery, enabled: signedIn })
  if (me && !me.is_email_verified) return <ResendButton />
  if (!signedIn)
    return (
      <Button component={Link} to={signInPath({ pathname: paths.emailVerification, search: '' })} size="md" fullWidth>
        {t('session:signInForLink')}
      </Button>
    )
  return (
    <>
      <p className="mid">
        {me && (
          <Trans t={t}
            i18nKey="session:verifiedAlready"
            values={{ email: me.email }}
            components={{ address: <span className="auth-address" /> }}
          />
        )}
      </p>
      <Button component={Link} to={paths.root} size="md" fullWidth>
        {t('session:toDashboard')}
      </Button>
      <div className="auth-row">
        <Link className="link" to={profilePath}>
          {t('session:changeEmail')}
        </Link>
      </div>
    </>
  )
}
