import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { usePageTitle } from '@/components/page'
import { VerifyEmail } from '@/features/session/verify-email'
import { readToken } from '@/lib/token'

export function VerifyEmailRoute() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  usePageTitle(t('session.verifyTitle'))
  return (
    <div className="auth" data-alone>
      <VerifyEmail token={search.get('token') ?? ''} signedIn={readToken() !== null} />
    </div>
  )
}
