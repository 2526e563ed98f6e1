import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { readWaitingOptions } from '@/api/@tanstack/react-query.gen'
import { lazyPart } from '@/components/lazy-part'
import { meQuery } from '@/features/users/session/api'
import { paths } from '@/lib/paths'
import { systemQuery } from './system-query'

const SystemTrouble = lazyPart(async () => (await import('./system-trouble')).SystemTrouble)
const SubscriptionBanner = lazyPart(async () => (await import('./subscription-banner')).SubscriptionBanner)

/** Banner above every page with a problem of the system, or else of the subscription. */
export function SystemBanner() {
  const { data } = useQuery(systemQuery)
  if (!data) return null
  const well = data.temporal.ok && data.worker.ok && data.faults.length === 0
  return well ? <SubscriptionNotice /> : <SystemTrouble />
}

/** Loads the subscription's banner only if the frame's counts report a problem; the subscription's page has its own. */
function SubscriptionNotice() {
  const { pathname } = useLocation()
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...readWaitingOptions(), enabled: me?.is_email_verified ?? false })
  return data?.subscription && pathname !== paths.subscription ? <SubscriptionBanner /> : null
}
