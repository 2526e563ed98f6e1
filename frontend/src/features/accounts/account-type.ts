import type { AccountType, ChannelKind } from '@/api/types.gen'
import type { TFunction } from '@/i18n/translate'

/** What kind of account it is: Instagram gives those of businesses alone. */
export const accountType = (t: TFunction, type: AccountType, kind?: ChannelKind) =>
  t(kind === 'instagram' ? 'accounts.business' : `accounts.${type}`)
