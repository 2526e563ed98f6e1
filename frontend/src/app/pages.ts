import {
  IconBinaryTree,
  IconBuildingStore,
  IconCalendar,
  IconCreditCard,
  IconHome,
  IconPhoto,
  IconPlugConnected,
  IconTemplate,
  IconTicket,
  IconTimeline,
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
  /** Paths of other pages for which this entry is current too. */
  covers?: string[]
}

const ACCOUNTS_TAB = 'accounts'

export interface Group {
  name?: 'aiTemplates' | 'socialMedia' | 'mediaLibrary' | 'account'
  pages: Page[]
}

/** The groups of the side navigation, exactly as specified. */
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

/** Return whether the entry of the navigation is current at the address. */
export function isCurrent(page: Page, pathname: string, search = ''): boolean {
  if (page.to === paths.root) return pathname === paths.root
  // the other tabs of the account have no entry
  if (page.to === paths.account && (new URLSearchParams(search).get('tab') ?? ACCOUNTS_TAB) !== ACCOUNTS_TAB) return false
  return [page.to, ...(page.covers ?? [])].some((path) => pathname === path || pathname.startsWith(`${path}/`))
}
