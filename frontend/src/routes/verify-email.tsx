import { useTranslation } from 'react-i18next'
import { usePageTitle } from '@/components/page'
import { VerifyEmail } from '@/features/users/session/verify-email'
import { useLinkParams } from '@/lib/link-params'
import { readToken } from '@/lib/token'

export function VerifyEmailRoute() {
  const { t } = useTranslation(['common', 'session'])
  const params = useLinkParams()
  usePageTitle(t('session:verifyTitle'))
  return (
    <div className="auth" data-alone>
      <VerifyEmail token={params.get('token') ?? ''} signedIn={readToken() !== null} />
    </div>
  )
}
