import { IconKeyOff, IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { readSystemOptions } from '@/api/@tanstack/react-query/health.gen'
import { readWaitingOptions } from '@/api/@tanstack/react-query/overview.gen'
import type { FaultOut } from '@/api/types.gen'
import { AfterIdle } from '@/components/after-idle'
import { Banner } from '@/components/banner'
import { channelName } from '@/components/channel'
import { meQuery } from '@/features/session/api'
import { loadTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'

const ASK_EVERY = 30_000 // ms

/** Says over every page that nothing is published, while the scheduler or every worker is away; or what keeps posts
 * from being written until an operator mends it; or else what is wrong with the subscription. */
export function SystemBanner() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, dataUpdatedAt } = useQuery({ ...readSystemOptions(), refetchInterval: ASK_EVERY })
  if (!data) return null
  if (data.temporal.ok && data.worker.ok) {
    const [fault] = data.faults
    return fault ? <FaultBanner fault={fault} now={new Date(dataUpdatedAt)} /> : <SubscriptionNotice />
  }
  const part = data.temporal.ok ? 'worker' : 'temporal'
  const { since } = data[part]
  const time = since && format.momentInSentence(since, new Date(dataUpdatedAt))
  const title = time ? t(`system.${part}Since`, { time }) : t(`system.${part}Away`)
  return (
    <Banner tone="warn" title={title} icon={<IconPlugOff size={18} stroke={1.9} aria-hidden />}>
      {t('system.consequence')}
    </Banner>
  )
}

const loadSubscriptionBanner = async () => {
  const [{ SubscriptionBanner }] = await Promise.all([import('./subscription-banner'), loadTexts('subscription')])
  return SubscriptionBanner
}

/** Nothing is loaded or asked for it before the frame's own numbers say so; its page tells the same itself. */
function SubscriptionNotice() {
  const { pathname } = useLocation()
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...readWaitingOptions(), enabled: me?.is_email_verified ?? false })
  return data?.subscription && pathname !== paths.subscription ? <AfterIdle load={loadSubscriptionBanner} /> : null
}

function FaultBanner({ fault: { network, code, since }, now }: { fault: FaultOut; now: Date }) {
  const { t } = useTranslation()
  const time = useFormat().momentInSentence(since, now)
  const title = network
    ? t('system.networkRefused', { time, network: channelName(network) })
    : t(code === 'model_out_of_credit' ? 'system.modelUnpaid' : 'system.modelRefused', { time })
  return (
    <Banner tone="warn" title={title} icon={<IconKeyOff size={18} stroke={1.9} aria-hidden />}>
      {t(network ? 'system.networkConsequence' : 'system.modelConsequence')}
    </Banner>
  )
}
