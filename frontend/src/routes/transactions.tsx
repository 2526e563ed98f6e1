import { useTranslation } from 'react-i18next'
import { PageHeader } from '@/components/page'
import { Download } from '@/features/billing/transactions/download'
import { TransactionList } from '@/features/billing/transactions/transaction-list'
import { paths } from '@/lib/paths'

export function TransactionsRoute() {
  const { t } = useTranslation(['common', 'billing', 'navigation'])
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('navigation:subscription'), to: paths.subscription }]}
        title={t('billing:transactions.title')}
        sub={t('billing:transactions.lead')}
        actions={<Download />}
      />
      <TransactionList />
    </>
  )
}
