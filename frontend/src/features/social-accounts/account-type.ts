import type { TFunction } from 'i18next'
import type { AccountType } from '@/api/types.gen'
import { organisationOf } from '@/components/channel'

/** What kind of account it is, as its own network calls it. */
export const accountType = (t: TFunction<['common', 'socialAccounts']>, type: AccountType, channel: string): string =>
  t(`socialAccounts:${type === 'organisation' ? organisationOf(channel) : type}`)
