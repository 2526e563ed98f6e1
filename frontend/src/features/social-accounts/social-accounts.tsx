import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { AccountList } from './account-list'
import { accountsQuery, channelsQuery } from './api'
import { ConnectCards } from './connect-cards'

/** The connected accounts, and the networks to connect. */
export function SocialAccounts() {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const accounts = useQuery(accountsQuery)
  const channels = useQuery(channelsQuery)
  return (
    <>
      {accounts.data ? (
        accounts.data.length > 0 ? (
          <AccountList accounts={accounts.data} />
        ) : (
          <section className="panel acc-none">
            <Title order={2}>{t('socialAccounts:emptyTitle')}</Title>
            <p>{t('socialAccounts:emptyText')}</p>
          </section>
        )
      ) : accounts.isError ? (
        <Failure title={t('socialAccounts:listFailed')} problem={accounts.error} onRetry={() => void accounts.refetch()} />
      ) : (
        <RowSkeletons rows={2} />
      )}
      {channels.data ? (
        <ConnectCards channels={channels.data} another={(accounts.data?.length ?? 0) > 0} />
      ) : (
        channels.isError && (
          <Failure
            title={t('socialAccounts:channelsFailed')}
            problem={channels.error}
            onRetry={() => void channels.refetch()}
          />
        )
      )}
    </>
  )
}
