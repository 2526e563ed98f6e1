import { useTranslation } from 'react-i18next'
import { usePageTitle } from '@/components/page'
import { VerifyEmail } from '@/features/users/session/verify-email'
import { useLinkParams } from '@/lib/link-params'
import { readToken } from '@/lib/token'

export function VerifyEmailRoute() {
  const { t } = useTranslation(['common', 'session'])
  const brought = useLinkParams()
  usePageTitle(t('session:verifyTitle'))
  return (
    <div className="auth" data-alone>
      <VerifyEmail token={brought.get('token') ?? ''} signedIn={readToken() !== null} />
    </div>
  )
}
