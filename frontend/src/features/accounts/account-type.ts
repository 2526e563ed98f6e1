import type { AccountType } from '@/api/types.gen'
import { organisationOf } from '@/components/channel'
import type { TFunction } from '@/i18n/translate'

/** What kind of account it is, as its own network calls it. */
export const accountType = (t: TFunction, type: AccountType, channel: string): string =>
  t(`accounts.${type === 'organisation' ? organisationOf(channel) : type}`)
