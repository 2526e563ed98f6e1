import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import {
  listTransactionModelsOptions,
  listTransactionsInfiniteOptions,
  listTransactionsInfiniteQueryKey,
  readTransactionOptions,
  readTransactionTotalsOptions,
} from '@/api/@tanstack/react-query.gen'
import { exportTransactions } from '@/api/sdk.gen'
import type { ListTransactionsData, TransactionSort } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import type { Problem } from '@/lib/problems'
import { fileNameOf, saveFile } from '@/lib/save-file'

const TAG = 'transactions'
const PAGE_SIZE = 30

type Query = NonNullable<ListTransactionsData['query']>

export function useTransactions(query: Query, sort: TransactionSort) {
  const options = { query: { ...query, sort, page_size: PAGE_SIZE } }
  return useInfiniteQuery({
    ...listTransactionsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listTransactionsInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

export const useTotals = (query: Query) =>
  useQuery({ ...readTransactionTotalsOptions({ query }), placeholderData: keepPreviousData })

export const useTransaction = (transactionId: string) =>
  useQuery(readTransactionOptions({ path: { transaction_id: transactionId } }))

export const modelsQuery = listTransactionModelsOptions()

/** Return the mutation that downloads the filtered calls as a file. */
export const useDownload = () =>
  useMutation<unknown, Problem, Query>({
    mutationFn: async (query) => {
      const { data, response } = await exportTransactions({ query, parseAs: 'blob' })
      saveFile(data as unknown as Blob, fileNameOf(response) ?? 'transactions.csv')
    },
  })
