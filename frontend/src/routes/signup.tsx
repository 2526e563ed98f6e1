import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { usePageDescription, usePageTitle } from '@/components/page'
import { SignUpForm } from '@/features/users/session/sign-up-form'
import { SignUpPromise } from '@/features/users/session/sign-up-promise'
import type { WaitingState } from '@/features/users/session/verified-only'
import { useLinkParams } from '@/lib/link-params'
import { paths } from '@/lib/paths'

export function SignUpRoute() {
  const { t } = useTranslation(['common', 'session'])
  const params = useLinkParams()
  const navigate = useNavigate()
  usePageTitle(t('session:signUpTitle'))
  usePageDescription(t('session:signUpDescription'))
  const wait = () => {
    const state: WaitingState = { sentAt: Date.now() }
    void navigate(paths.emailVerification, { replace: true, state })
  }
  return (
    <div className="auth">
      <SignUpForm
        invitationCode={params.get('code') ?? ''}
        email={params.get('email') ?? ''}
        proof={params.get('proof') ?? ''}
        onSignedUp={wait}
      />
      <SignUpPromise />
    </div>
  )
}
