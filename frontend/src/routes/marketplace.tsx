import { useTranslation } from 'react-i18next'
import { PageHeader } from '@/components/page'
import { NextStep } from '@/features/dashboard/next-step'
import { MarketList } from '@/features/marketplace/market-list'

/** With `?template=<id>` the preview of one of them. */
export function MarketplaceRoute() {
  const { t } = useTranslation(['common', 'marketplace'])
  return (
    <>
      <PageHeader title={t('marketplace:title')} sub={t('marketplace:lead')} />
      <MarketList next={<NextStep variant="light" />} />
    </>
  )
}
