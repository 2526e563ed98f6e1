import { useLocation } from 'react-router'
import { usePageTitle } from '@/components/page'
import { ChangeEmailLink } from '@/features/account/change-email-link'
import { EmailVerification } from '@/features/session/email-verification'
import type { WaitingState } from '@/features/session/verified-only'
import { useTranslation } from '@/i18n/translation'
import { nextPath } from '@/lib/paths'

export function EmailVerificationRoute() {
  const { t } = useTranslation()
  const location = useLocation()
  const state = location.state as WaitingState | null
  usePageTitle(t('session.waitTitle'))
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
