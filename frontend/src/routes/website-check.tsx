import { lazy, Suspense } from 'react'
import { RowSkeletons } from '@/components/skeletons'
import type { Check } from '@/features/websites/website-actions'

const CheckAccount = lazy(async () => ({
  default: (await import('@/features/accounts/check-dialog')).CheckAccount,
}))

/** A website is checked as every account is by which something is published. */
export const checkWebsite: Check = ({ account_id, kind }, onDone, onReconnect) => (
  <Suspense fallback={<RowSkeletons rows={3} />}>
    <CheckAccount account={{ id: account_id, kind }} onDone={onDone} onReconnect={onReconnect} />
  </Suspense>
)
