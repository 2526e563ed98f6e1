import { IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readSystemOptions } from '@/api/@tanstack/react-query.gen'
import { Banner } from '@/components/banner'
import { useFormat } from '@/i18n/use-format'

const ASK_EVERY = 30_000 // ms

/** Says over every page that nothing is published, while the scheduler or every worker is away. */
export function SystemBanner() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, dataUpdatedAt } = useQuery({ ...readSystemOptions(), refetchInterval: ASK_EVERY })
  if (!data || (data.temporal.ok && data.worker.ok)) return null
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
