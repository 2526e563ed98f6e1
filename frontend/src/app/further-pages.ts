import {
  IconApi,
  IconArticle,
  IconDatabaseExport,
  IconHandStop,
  IconLock,
  IconReceipt,
  IconShieldLock,
  IconUser,
  IconWorldWww,
} from '@tabler/icons-react'
import { paths } from '@/lib/paths'
import type { Page } from './pages'

/** Pages that are only in the command menu, not in the navigation. */
export const furtherPages: Page[] = [
  { name: 'approvals', to: `${paths.posts}?tab=approvals`, icon: IconHandStop },
  { name: 'articles', to: paths.articles, icon: IconArticle },
  { name: 'websites', to: paths.websites, icon: IconWorldWww },
  { name: 'transactions', to: paths.transactions, icon: IconReceipt },
  { name: 'privacyPolicy', to: paths.privacyPolicy, icon: IconLock },
]

/** The tabs of the account except the first, which is in the navigation. */
export const accountPages = [
  { tab: 'profile', to: `${paths.account}?tab=profile`, icon: IconUser },
  { tab: 'security', to: `${paths.account}?tab=security`, icon: IconShieldLock },
  { tab: 'api-keys', to: `${paths.account}?tab=api-keys`, icon: IconApi },
  { tab: 'data', to: `${paths.account}?tab=data`, icon: IconDatabaseExport },
] as const
