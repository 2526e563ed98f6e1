import { IconKeyOff, IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FaultOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { channelName } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { systemQuery } from './system-query'

/** Banner while the scheduler or all workers are away, so that nothing is published, or posts cannot be written. */
export function SystemTrouble() {
  const { t } = useTranslation(['common', 'navigation'])
  const format = useFormat()
  const { data, dataUpdatedAt } = useQuery(systemQuery)
  if (!data) return null
  if (data.temporal.ok && data.worker.ok) {
    const [fault] = data.faults
    return fault ? <FaultBanner fault={fault} now={new Date(dataUpdatedAt)} /> : null
  }
  const part = data.temporal.ok ? 'worker' : 'temporal'
  const { since } = data[part]
  const time = since && format.momentInSentence(since, new Date(dataUpdatedAt))
  const title = time ? t(`navigation:system.${part}Since`, { time }) : t(`navigation:system.${part}Away`)
  return (
    <Banner tone="warn" title={title} icon={<IconPlugOff size={18} stroke={1.9} aria-hidden />}>
      {t('navigation:system.consequence')}
    </Banner>
  )
}

function FaultBanner({ fault: { network, code, since }, now }: { fault: FaultOut; now: Date }) {
  const { t } = useTranslation(['common', 'navigation'])
  const time = useFormat().momentInSentence(since, now)
  const title = network
    ? t('navigation:system.networkRefused', { time, network: channelName(network) })
    : t(code === 'model_out_of_credit' ? 'navigation:system.modelUnpaid' : 'navigation:system.modelRefused', { time })
  return (
    <Banner tone="warn" title={title} icon={<IconKeyOff size={18} stroke={1.9} aria-hidden />}>
      {t(network ? 'navigation:system.networkConsequence' : 'navigation:system.modelConsequence')}
    </Banner>
  )
}
