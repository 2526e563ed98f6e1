import { AccountType, ChannelKind } from '@/api/types.gen'
import type { TFunction } from '@/i18n/translate'

/** What kind of account it is, as its own network calls it; one of a newer server is an organisation. */
export function accountType(t: TFunction, type: AccountType, kind: ChannelKind): string {
  if (type === AccountType.PERSON) return t('accounts.person')
  switch (kind) {
    case ChannelKind.LINKEDIN:
    case ChannelKind.LINKEDIN_PAGES:
    case ChannelKind.FACEBOOK:
      return t('accounts.page')
    case ChannelKind.INSTAGRAM:
      return t('accounts.business')
    default:
      return t('accounts.organisation')
  }
}
