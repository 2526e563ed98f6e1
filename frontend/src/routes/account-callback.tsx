import { useEffect, useState } from 'react'
import { NETWORKS } from '@/components/channel'
import { ConnectCallback } from '@/features/accounts/connect-callback'
import { NotKnown } from '@/features/accounts/not-known'
import { NextStep } from '@/features/dashboard/next-step'
import { useNavigate, useParams, useSearchParams } from '@/lib/router/hooks'

export function AccountCallbackRoute() {
  const { provider } = useParams()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [params] = useState({
    state: search.get('state') ?? '',
    code: search.get('code'),
    error: search.get('error'),
    error_description: search.get('error_description'),
  })
  const kind = NETWORKS.find((known) => known === provider)
  // what was in the address is used up: it shall not stay in the history
  useEffect(() => void navigate({ search: '' }, { replace: true }), [navigate])
  return kind ? <ConnectCallback kind={kind} params={params} next={<NextStep orNew />} /> : <NotKnown />
}
