import type { TFunction } from 'i18next'
import type { AccountType } from '@/api/types.gen'
import { organisationOf } from '@/components/channel'

/** Return the account's type in its network's terms. */
export const accountType = (t: TFunction<['common', 'socialAccounts']>, type: AccountType, channel: string): string =>
  t(`socialAccounts:${type === 'organisation' ? organisationOf(channel) : type}`)
