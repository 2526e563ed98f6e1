import { CheckAccount } from '@/features/social-accounts/dialogs'
import type { Check } from '@/features/websites/website-actions'

/** A website is checked as every account is by which something is published. */
export const checkWebsite: Check = ({ account_id, kind }, onDone, onReconnect) => (
  <CheckAccount account={{ id: account_id, kind }} onDone={onDone} onReconnect={onReconnect} />
)
