import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Trans, useTranslation } from 'react-i18next'
import type { ApiKeyOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { Tag } from '@/components/tag'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { apiKeysQuery, useRevokeApiKey } from './api'

const NewKeyDialog = lazyPart(async () => (await import('./new-key-dialog')).NewKeyDialog)

const API_DOCS = '/api/docs'

interface ApiKeysProps {
  /** Whether the dialog for a new key is open. */
  making: boolean
  onMade: () => void
}

export function ApiKeys({ making, onMade }: ApiKeysProps) {
  return (
    <>
      <KeyList />
      <NewKeyDialog opened={making} onClose={onMade} />
    </>
  )
}

function KeyList() {
  const { t } = useTranslation(['common', 'settings'])
  const keys = useQuery(apiKeysQuery)
  if (keys.isPending) return <RowSkeletons rows={2} />
  if (keys.isError && !keys.data)
    return <Failure title={t('settings:keysFailed')} problem={keys.error} onRetry={() => void keys.refetch()} />
  if (keys.data.length === 0)
    return (
      // without a button, since the page has one above
      <EmptyState
        title={t('settings:keysEmptyTitle')}
        text={<Trans t={t} i18nKey="settings:keysEmptyText" components={{ docs: <a className="link nowrap" href={API_DOCS} /> }} />}
      />
    )
  return <KeyTable keys={keys.data} />
}

function KeyTable({ keys }: { keys: ApiKeyOut[] }) {
  const { t } = useTranslation(['common', 'settings', 'socialAccounts'])
  const format = useFormat()
  const columns: Column<ApiKeyOut>[] = [
    { key: 'name', header: t('settings:keyName'), card: 'start', cell: (key) => <b className="key-name">{key.name}</b> },
    { key: 'scope', header: t('settings:scope'), card: 'end', cell: (key) => <Tag>{t(`settings:${key.scope}`)}</Tag> },
    {
      key: 'made',
      header: t('settings:made'),
      card: 'hidden',
      cell: (key) => (
        <time className="dim nowrap" dateTime={key.created_at}>
          {format.dayAndTime(key.created_at)}
        </time>
      ),
    },
    {
      key: 'used',
      header: t('settings:used'),
      card: 'start',
      cell: ({ last_used_at }) => (
        <span className={last_used_at ? undefined : 'dim'}>
          <span className="on-card">{t('settings:used')}: </span>
          {last_used_at ? (
            <time dateTime={last_used_at}>{format.dayAndTime(last_used_at)}</time>
          ) : (
            t('settings:never')
          )}
        </span>
      ),
    },
    {
      key: 'ends',
      header: t('settings:keyEnds'),
      card: 'end',
      cell: ({ expires_at }) => (
        <span className={expires_at ? undefined : 'dim'}>
          <span className="on-card">{t('settings:keyEnds')}: </span>
          {expires_at ? <time dateTime={expires_at}>{format.day(expires_at)}</time> : t('settings:never')}
        </span>
      ),
    },
    { key: 'actions', header: t('settings:actions'), numeric: true, card: 'wide', cell: (key) => <Revoke apiKey={key} /> },
  ]
  return <DataList label={t('socialAccounts:tab.api-keys')} columns={columns} rows={keys} rowKey={(key) => key.id} />
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKeyOut }) {
  const { t } = useTranslation(['common', 'settings', 'errors'])
  const confirm = useConfirm()
  const revoke = useRevokeApiKey()
  const ask = async () => {
    const sure = await confirm({
      title: t('settings:revokeTitle', { name }),
      text: t('settings:revokeText'),
      action: t('settings:revokeAction'),
      danger: true,
    })
    if (!sure) return
    revoke.mutate(
      { path: { key_id: id } },
      {
        onSuccess: () => notifications.show({ message: t('settings:revoked', { name }) }),
        onError: (problem) =>
          notifications.show({
            color: 'red',
            message: `${t('settings:revokeFailed', { name })} ${problemText(t, problem)}`,
          }),
      },
    )
  }
  return (
    <Button
      size="xs"
      variant="default"
      loading={revoke.isPending}
      aria-label={t('settings:revokeOf', { name })}
      onClick={() => void ask()}
    >
      {t('settings:revoke')}
    </Button>
  )
}
