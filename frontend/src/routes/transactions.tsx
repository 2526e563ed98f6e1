import { PageHeader } from '@/components/page'
import { Download } from '@/features/transactions/download'
import { TransactionList } from '@/features/transactions/transaction-list'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

export function TransactionsRoute() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('navigation.subscription'), to: paths.subscription }]}
        title={t('transactions.title')}
        sub={t('transactions.lead')}
        actions={<Download />}
      />
      <TransactionList />
    </>
  )
}
