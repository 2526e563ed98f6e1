import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { usePageTitle } from '@/components/page'
import { SignUpForm } from '@/features/session/sign-up-form'
import { SignUpPromise } from '@/features/session/sign-up-promise'
import { paths } from '@/lib/paths'

export function SignUpRoute() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  usePageTitle(t('session.signUpTitle'))
  return (
    <div className="auth">
      <SignUpForm
        invitationCode={search.get('code') ?? ''}
        onSignedUp={() => void navigate(paths.root, { replace: true })}
      />
      <SignUpPromise />
    </div>
  )
}
