import { useParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { RowSkeletons } from '@/components/skeletons'
import { useTransaction } from '@/features/transactions/api'
import { TransactionDetail } from '@/features/transactions/transaction-detail'
import { useTranslation } from '@/i18n/translation'
import { isMissing } from '@/lib/problems'

export function TransactionRoute() {
  const { t } = useTranslation()
  const { transactionId = '' } = useParams()
  const call = useTransaction(transactionId)
  if (isMissing(call.error)) return <NotFound />
  if (call.data) return <TransactionDetail call={call.data} />
  if (call.isError)
    return <Failure title={t('transactions.readFailed')} problem={call.error} onRetry={() => void call.refetch()} />
  return <RowSkeletons />
}
