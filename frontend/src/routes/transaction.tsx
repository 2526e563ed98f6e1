import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { RowSkeletons } from '@/components/skeletons'
import { useTransaction } from '@/features/billing/transactions/api'
import { TransactionDetail } from '@/features/billing/transactions/transaction-detail'
import { isMissing } from '@/lib/problems'

export function TransactionRoute() {
  const { t } = useTranslation(['common', 'billing'])
  const { transactionId = '' } = useParams()
  const call = useTransaction(transactionId)
  if (isMissing(call.error)) return <NotFound />
  if (call.data) return <TransactionDetail call={call.data} />
  if (call.isError)
    return <Failure title={t('billing:transactions.readFailed')} problem={call.error} onRetry={() => void call.refetch()} />
  return <RowSkeletons />
}
