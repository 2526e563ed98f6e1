import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { usePageTitle } from '@/components/page'
import { SignInByLink } from '@/features/session/sign-in-by-link'
import { SignInForm } from '@/features/session/sign-in-form'
import { nextPath } from '@/lib/paths'

export function SignInRoute() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const navigate = useNavigate()
  usePageTitle(t('session.signInTitle'))
  const link = new URLSearchParams(search).get('link')
  const goOn = () => void navigate(nextPath(search), { replace: true })
  return (
    <div className="auth" data-alone>
      {link ? <SignInByLink token={link} onSignedIn={goOn} /> : <SignInForm onSignedIn={goOn} />}
    </div>
  )
}
