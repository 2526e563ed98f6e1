import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { usePageDescription, usePageTitle } from '@/components/page'
import { ForgotForm } from '@/features/users/session/forgot-form'
import { ResetForm } from '@/features/users/session/reset-form'
import { SignInByLink } from '@/features/users/session/sign-in-by-link'
import { SignInForm } from '@/features/users/session/sign-in-form'
import { hasDraftsAside } from '@/lib/drafts'
import { useLinkParams } from '@/lib/link-params'
import { nextPath, paths } from '@/lib/paths'

const TITLES = {
  forgot: 'session:forgotTitle',
  reset: 'session:resetTitle',
  link: 'session:signInTitle',
  form: 'session:signInTitle',
} as const

/** The login, and what belongs to it: a link that signs in, a forgotten password, and a new one. */
export function SignInRoute() {
  const { t } = useTranslation(['common', 'session'])
  const location = useLocation()
  const { search } = location
  const navigate = useNavigate()
  const params = new URLSearchParams(search)
  const token = useLinkParams().get('token') ?? ''
  const screen = (['reset', 'forgot', 'link'] as const).find((name) => params.has(name)) ?? 'form'
  usePageTitle(t(TITLES[screen]))
  usePageDescription(t('session:signInDescription'))
  const goOn = () => void navigate(nextPath(search), { replace: true })
  const state = location.state as { reset?: boolean; ended?: boolean } | null
  const wait = hasDraftsAside(useQueryClient())
  useLeaveQuestion(wait)
  return (
    <div className="auth" data-alone>
      {screen === 'forgot' && <ForgotForm />}
      {screen === 'reset' && (
        <ResetForm
          token={token}
          onReset={() => void navigate(paths.signIn, { replace: true, state: { reset: true } })}
        />
      )}
      {screen === 'link' && <SignInByLink token={token} onSignedIn={goOn} />}
      {screen === 'form' && <SignInForm notice={notice()} onSignedIn={goOn} />}
    </div>
  )

  function notice() {
    if (state?.reset) return t('session:resetDone')
    if (wait) return t('session:endedWhileWriting')
    return state?.ended ? t('session:ended') : undefined
  }
}

/** Ask before the app is left, if it holds drafts that are restored after the login. */
function useLeaveQuestion(wait: boolean) {
  useEffect(() => {
    if (!wait) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [wait])
}
