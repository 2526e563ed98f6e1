import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { PageHeader } from '@/components/page'
import { accountTabs, AccountTabs } from '@/features/accounts/account-tabs'
import { CONNECT_ID } from '@/features/accounts/connect-cards'
import { SocialAccounts } from '@/features/accounts/social-accounts'

export function AccountRoute() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const tab = accountTabs.find((name) => name === search.get('tab')) ?? 'accounts'
  return (
    <>
      <PageHeader
        title={t(`accounts.tab.${tab}`)}
        sub={tab === 'accounts' ? t('accounts.lead') : undefined}
        actions={
          tab === 'accounts' && (
            <Button
              leftSection={<IconPlus size={15} aria-hidden />}
              onClick={() => {
                const cards = document.getElementById(CONNECT_ID)?.parentElement
                cards?.scrollIntoView({ block: 'nearest' })
                cards?.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
              }}
            >
              {t('accounts.connectTitle')}
            </Button>
          )
        }
      >
        <AccountTabs current={tab} />
      </PageHeader>
      {tab === 'accounts' ? (
        <SocialAccounts />
      ) : (
        <EmptyState title={t('coming.notice')} text={t(`accounts.coming.${tab}`)} />
      )}
    </>
  )
}
