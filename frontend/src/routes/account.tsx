import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, type ReactElement } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { bringAhead, pagePart } from '@/components/page-part'
import { RowSkeletons } from '@/components/skeletons'
import { newKeyPath } from '@/features/account/links'
import { accountTabs, AccountTabs, type AccountTab } from '@/features/accounts/account-tabs'
import { CONNECT_ID } from '@/features/accounts/connect-cards'
import { SocialAccounts } from '@/features/accounts/social-accounts'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { useUrlFilters } from '@/lib/url-filters'

const Profile = pagePart(
  async () => (await withTexts(import('@/features/account/profile'), 'account', 'validation')).Profile,
  <RowSkeletons rows={3} />,
)
const MailChoices = pagePart(
  async () => (await withTexts(import('@/features/notifications/mail-choices'), 'notifications')).default,
  <RowSkeletons rows={6} />,
)
const Security = pagePart(
  async () => (await withTexts(import('@/features/account/security'), 'account', 'validation')).Security,
  <RowSkeletons />,
)
const ApiKeys = pagePart(
  async () => (await withTexts(import('@/features/account/api-keys'), 'account', 'accounts', 'validation')).ApiKeys,
  <RowSkeletons />,
)
const OwnData = pagePart(async () => (await withTexts(import('@/features/account/own-data'), 'account')).OwnData, <RowSkeletons />)
const ahead = bringAhead(Profile, MailChoices, Security, ApiKeys, OwnData)

const ACTIONS: Partial<Record<AccountTab, ReactElement>> = { accounts: <Connect />, 'api-keys': <NewKey /> }

export function AccountRoute() {
  const { t } = useTranslation()
  useEffect(ahead, [])
  const [search] = useSearchParams()
  const { change } = useUrlFilters()
  const tab = accountTabs.find((name) => name === search.get('tab')) ?? 'accounts'
  return (
    <>
      <PageHeader title={t(`accounts.tab.${tab}`)} sub={t(`accounts.leads.${tab}`)} actions={ACTIONS[tab]}>
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
  const { t } = useTranslation()
  return (
    <Button
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={() => {
        const cards = document.getElementById(CONNECT_ID)?.parentElement
        cards?.scrollIntoView({ block: 'center', behavior: 'smooth' })
        cards?.querySelector<HTMLElement>('button:not(:disabled)')?.focus({ preventScroll: true })
      }}
    >
      {t('accounts.connectTitle')}
    </Button>
  )
}

function NewKey() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to={newKeyPath} leftSection={<IconPlus size={15} aria-hidden />}>
      {t('accounts.newKey')}
    </Button>
  )
}
