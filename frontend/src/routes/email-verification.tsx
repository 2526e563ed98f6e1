import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { usePageTitle } from '@/components/page'
import { ChangeEmailLink } from '@/features/users/settings/change-email-link'
import { EmailVerification } from '@/features/users/session/email-verification'
import type { WaitingState } from '@/features/users/session/verified-only'
import { nextPath } from '@/lib/paths'

export function EmailVerificationRoute() {
  const { t } = useTranslation(['common', 'session'])
  const location = useLocation()
  const state = location.state as WaitingState | null
  usePageTitle(t('session:waitTitle'))
  return (
    <div className="auth" data-alone>
      <EmailVerification
        next={state?.from ?? nextPath(location.search)}
        sentAt={state?.sentAt}
        changeEmail={(email) => <ChangeEmailLink email={email} />}
      />
    </div>
  )
}
