import { useNavigate } from 'react-router'
import { usePageDescription, usePageTitle } from '@/components/page'
import { SignUpForm } from '@/features/session/sign-up-form'
import { SignUpPromise } from '@/features/session/sign-up-promise'
import type { WaitingState } from '@/features/session/verified-only'
import { useTranslation } from '@/i18n/translation'
import { useLinkParams } from '@/lib/link-params'
import { paths } from '@/lib/paths'

export function SignUpRoute() {
  const { t } = useTranslation()
  const brought = useLinkParams()
  const navigate = useNavigate()
  usePageTitle(t('session.signUpTitle'))
  usePageDescription(t('session.signUpDescription'))
  const wait = () => {
    const state: WaitingState = { sentAt: Date.now() }
    void navigate(paths.emailVerification, { replace: true, state })
  }
  return (
    <div className="auth">
      <SignUpForm
        invitationCode={brought.get('code') ?? ''}
        email={brought.get('email') ?? ''}
        proof={brought.get('proof') ?? ''}
        onSignedUp={wait}
      />
      <SignUpPromise />
    </div>
  )
}
