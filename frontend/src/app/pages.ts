import {
  IconApi,
  IconArticle,
  IconBinaryTree,
  IconBuildingStore,
  IconCalendar,
  IconCreditCard,
  IconDatabaseExport,
  IconHandStop,
  IconHome,
  IconLock,
  IconPhoto,
  IconPlugConnected,
  IconReceipt,
  IconShieldLock,
  IconTemplate,
  IconTicket,
  IconTimeline,
  IconUser,
  IconWorldWww,
  IconWriting,
  type Icon,
} from '@tabler/icons-react'
import { paths } from '@/lib/paths'

export interface Page {
  name:
    | 'dashboard'
    | 'myTemplates'
    | 'marketplace'
    | 'posts'
    | 'topicTrees'
    | 'assistants'
    | 'calendar'
    | 'images'
    | 'socialAccounts'
    | 'invitations'
    | 'subscription'
    | 'approvals'
    | 'articles'
    | 'websites'
    | 'transactions'
    | 'privacyPolicy'
  to: string
  icon: Icon
  /** Pages reached from this one: its entry stands for them too. */
  covers?: string[]
}

export interface Group {
  name?: 'aiTemplates' | 'socialMedia' | 'mediaLibrary' | 'account'
  pages: Page[]
}

/** The side navigation: exactly the groups of the specification. */
export const groups: Group[] = [
  { pages: [{ name: 'dashboard', to: paths.root, icon: IconHome }] },
  {
    name: 'aiTemplates',
    pages: [
      { name: 'myTemplates', to: paths.templates, icon: IconTemplate },
      { name: 'marketplace', to: paths.marketplace, icon: IconBuildingStore },
    ],
  },
  {
    name: 'socialMedia',
    pages: [
      { name: 'posts', to: paths.posts, icon: IconWriting, covers: [paths.articles, paths.websites] },
      { name: 'topicTrees', to: paths.topics, icon: IconBinaryTree },
      { name: 'assistants', to: paths.assistants, icon: IconTimeline },
      { name: 'calendar', to: paths.calendar, icon: IconCalendar },
    ],
  },
  { name: 'mediaLibrary', pages: [{ name: 'images', to: paths.mediaGallery, icon: IconPhoto }] },
  {
    name: 'account',
    pages: [
      { name: 'socialAccounts', to: paths.account, icon: IconPlugConnected },
      { name: 'invitations', to: paths.invitations, icon: IconTicket },
      { name: 'subscription', to: paths.subscription, icon: IconCreditCard, covers: [paths.transactions] },
    ],
  },
]

/** What the navigation leaves out, for the command menu. */
export const furtherPages: Page[] = [
  { name: 'approvals', to: `${paths.posts}?tab=approvals`, icon: IconHandStop },
  { name: 'articles', to: paths.articles, icon: IconArticle },
  { name: 'websites', to: paths.websites, icon: IconWorldWww },
  { name: 'transactions', to: paths.transactions, icon: IconReceipt },
  { name: 'privacyPolicy', to: paths.privacyPolicy, icon: IconLock },
]

/** The tabs of the account beside the first, which stands in the navigation. */
export const accountPages = [
  { tab: 'profile', to: `${paths.account}?tab=profile`, icon: IconUser },
  { tab: 'security', to: `${paths.account}?tab=security`, icon: IconShieldLock },
  { tab: 'api-keys', to: `${paths.account}?tab=api-keys`, icon: IconApi },
  { tab: 'data', to: `${paths.account}?tab=data`, icon: IconDatabaseExport },
] as const

/** Whether the entry of the navigation stands for the address. */
export function isCurrent(page: Page, pathname: string): boolean {
  if (page.to === paths.root) return pathname === paths.root
  return [page.to, ...(page.covers ?? [])].some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
