import { useTranslation } from 'react-i18next'
import { PageHeader } from '@/components/page'
import { NextStep } from '@/features/dashboard/next-step'
import { MarketList } from '@/features/marketplace/market-list'

/** The marketplace; `?template=<id>` opens the preview of a template. */
export function MarketplaceRoute() {
  const { t } = useTranslation(['common', 'marketplace'])
  return (
    <>
      <PageHeader title={t('marketplace:title')} sub={t('marketplace:lead')} />
      <MarketList next={<NextStep variant="light" />} />
    </>
  )
}
