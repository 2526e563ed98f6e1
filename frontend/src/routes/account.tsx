import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { newKeyPath } from '@/features/users/settings/links'
import { accountTabs, AccountTabs, type AccountTab } from '@/features/social-accounts/account-tabs'
import { CONNECT_ID } from '@/features/social-accounts/connect-cards'
import { SocialAccounts } from '@/features/social-accounts/social-accounts'
import { useUrlFilters } from '@/lib/url-filters'

const Profile = lazyPart(
  async () => (await import('@/features/users/settings/profile')).Profile,
  <RowSkeletons rows={3} />,
)
const MailChoices = lazyPart(
  async () => (await import('@/features/notifications/mail-choices')).default,
  <RowSkeletons rows={6} />,
)
const Security = lazyPart(
  async () => (await import('@/features/users/settings/security')).Security,
  <RowSkeletons />,
)
const ApiKeys = lazyPart(
  async () => (await import('@/features/users/settings/api-keys')).ApiKeys,
  <RowSkeletons />,
)
const OwnData = lazyPart(async () => (await import('@/features/users/settings/own-data')).OwnData, <RowSkeletons />)

const ACTIONS: Partial<Record<AccountTab, ReactElement>> = { accounts: <Connect />, 'api-keys': <NewKey /> }

export function AccountRoute() {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const [search] = useSearchParams()
  const { change } = useUrlFilters()
  const tab = accountTabs.find((name) => name === search.get('tab')) ?? 'accounts'
  return (
    <>
      <PageHeader title={t(`socialAccounts:tab.${tab}`)} sub={t(`socialAccounts:leads.${tab}`)} actions={ACTIONS[tab]}>
        <AccountTabs current={tab} />
      </PageHeader>
      {tab === 'accounts' && <SocialAccounts />}
      {tab === 'profile' && <Profile />}
      {tab === 'notifications' && <MailChoices />}
      {tab === 'security' && <Security />}
      {tab === 'api-keys' && <ApiKeys making={search.has('new')} onMade={() => change({ new: null })} />}
      {tab === 'data' && <OwnData />}
    </>
  )
}

function Connect() {
  const { t } = useTranslation(['common', 'socialAccounts'])
  return (
    <Button
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={() => {
        const cards = document.getElementById(CONNECT_ID)?.parentElement
        cards?.scrollIntoView({ block: 'center', behavior: 'smooth' })
        cards?.querySelector<HTMLElement>('button:not(:disabled)')?.focus({ preventScroll: true })
      }}
    >
      {t('socialAccounts:connectTitle')}
    </Button>
  )
}

function NewKey() {
  const { t } = useTranslation(['common', 'socialAccounts'])
  return (
    <Button component={Link} to={newKeyPath} leftSection={<IconPlus size={15} aria-hidden />}>
      {t('socialAccounts:newKey')}
    </Button>
  )
}
