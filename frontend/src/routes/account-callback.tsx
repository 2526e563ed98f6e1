import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { NETWORKS, SITES } from '@/components/channel'
import { lazyPart } from '@/components/lazy-part'
import { ConnectCallback } from '@/features/social-accounts/connect-callback'
import { UnknownNetwork } from '@/features/social-accounts/unknown-network'
import { NextStep } from '@/features/dashboard/next-step'
import { isLanguage } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'

const SiteCallback = lazyPart(
  async () => (await import('@/features/websites/site-callback')).SiteCallback,
)

export function AccountCallbackRoute() {
  const { provider } = useParams()
  const navigate = useNavigate()
  const userLanguage = useLanguage()
  const [search] = useSearchParams()
  const [params] = useState({
    state: search.get('state') ?? '',
    code: search.get('code'),
    error: search.get('error'),
    error_description: search.get('error_description'),
  })
  const [siteParams] = useState(() => {
    const language = search.get('language')
    return {
      state: params.state,
      language: language && isLanguage(language) ? language : userLanguage,
      allowed: search.get('success') !== 'false',
      site_url: search.get('site_url') ?? '',
      user_login: search.get('user_login') ?? '',
      password: search.get('password') ?? '',
    }
  })
  const kind = NETWORKS.find((option) => option === provider)
  const site = SITES.find((option) => option === provider)
  // the parameters work only once, so they do not stay in the history
  useEffect(() => void navigate({ search: '' }, { replace: true }), [navigate])
  if (site) return <SiteCallback kind={site} params={siteParams} />
  return kind ? <ConnectCallback kind={kind} params={params} next={<NextStep orNew />} /> : <UnknownNetwork />
}
