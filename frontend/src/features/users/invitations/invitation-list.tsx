import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconShare, IconTicketOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InvitationOut, InvitationState } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { CopyButton } from '@/components/copy-button'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { lazyPart } from '@/components/lazy-part'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge, type Status } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { useInvitations, useRevokeInvitation } from './api'

const ShareDialog = lazyPart(async () => (await import('./share-dialog')).ShareDialog)

const DAY = 24 * 60 * 60_000 // ms

const looks = {
  open: 'complete',
  used: 'published',
  expired: 'missed',
  revoked: 'skipped',
} satisfies Record<InvitationState, Status>

export function InvitationList() {
  const { t } = useTranslation(['common', 'invitations'])
  const format = useFormat()
  const { filter, change } = useUrlFilters()
  const [shared, setShared] = useState<InvitationOut>()
  const search = filter('search')
  const invitations = useInvitations(search)

  if (invitations.isPending) return <RowSkeletons />
  if (invitations.isError && !invitations.data)
    return (
      <Failure
        title={t('invitations:listFailed')}
        problem={invitations.error}
        onRetry={() => void invitations.refetch()}
      />
    )
  const rows = invitations.data.pages.flatMap((page) => page.items)
  const { total = 0, open = 0, limit = 0 } = invitations.data.pages.at(-1) ?? {}
  if (rows.length === 0 && !search)
    return (
      // without a button, since the page has one above
      <EmptyState title={t('invitations:emptyTitle')} text={t('invitations:emptyText')} />
    )
  const columns: Column<InvitationOut>[] = [
    {
      key: 'invitation',
      header: t('invitations:invitation'),
      card: 'wide',
      cell: ({ code, email }) => (
        <div className="two-lines">
          <b className="mono nowrap">{code}</b>
          <small className="invited">{email ?? t('invitations:anyone')}</small>
        </div>
      ),
    },
    {
      key: 'state',
      header: t('invitations:state'),
      card: 'start',
      cell: (invitation) => <State invitation={invitation} asOf={invitations.dataUpdatedAt} />,
    },
    {
      key: 'made',
      header: t('invitations:made'),
      card: 'hidden',
      cell: ({ created_at }) => (
        <time className="dim nowrap" dateTime={created_at}>
          {format.dayAndTime(created_at)}
        </time>
      ),
    },
    {
      key: 'ended',
      header: t('invitations:ended'),
      card: 'end',
      cell: (invitation) => <End invitation={invitation} />,
    },
    {
      key: 'actions',
      header: t('invitations:actions'),
      numeric: true,
      card: 'wide',
      cell: (invitation) =>
        invitation.state === 'open' && <Actions invitation={invitation} onShare={() => setShared(invitation)} />,
    },
  ]
  return (
    <>
      <div className="filters">
        <SearchField label={t('invitations:search')} value={search} onSearch={(text) => change({ search: text })} />
        <span className="invitation-count num" role="status">
          {t('invitations:open', { count: open, limit })}
        </span>
      </div>
      {open >= limit && <p className="invitations-full">{t('invitations:full', { limit })}</p>}
      {rows.length === 0 ? (
        <NoMatch text={t('invitations:noMatch', { search })} onClear={() => change({ search: null })} />
      ) : (
        <DataList label={t('invitations:title')} columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
      <ListFoot
        hasMore={invitations.hasNextPage}
        loading={invitations.isFetchingNextPage}
        onMore={() => void invitations.fetchNextPage()}
      >
        {t('invitations:count', { count: total })}
      </ListFoot>
      <ShareDialog opened={shared !== undefined} invitation={shared} onClose={() => setShared(undefined)} />
    </>
  )
}

/** The state of an invitation. `asOf`: when it was fetched, in ms since 1970. */
function State({ invitation: { state, expires_at }, asOf }: { invitation: InvitationOut; asOf: number }) {
  const { t } = useTranslation(['common', 'invitations'])
  const count = Math.ceil((Date.parse(expires_at) - asOf) / DAY)
  const label = state === 'open' ? t('invitations:daysLeft', { count }) : t(`invitations:states.${state}`)
  return <StatusBadge status={looks[state]} label={label} />
}

function End({ invitation: { state, accepted_at, expires_at } }: { invitation: InvitationOut }) {
  const { t } = useTranslation(['common', 'invitations'])
  const format = useFormat()
  if (state === 'revoked') return null
  if (accepted_at)
    return <time className="nowrap" dateTime={accepted_at}>{t('invitations:acceptedAt', { when: format.dayAndTime(accepted_at) })}</time>
  const text = t(state === 'open' ? 'invitations:until' : 'invitations:expiredAt', {
    when: format.dayAndTime(expires_at),
  })
  return (
    <time className="dim nowrap" dateTime={expires_at}>
      {text}
    </time>
  )
}

function Actions({ invitation, onShare }: { invitation: InvitationOut; onShare: () => void }) {
  const { t } = useTranslation(['common', 'errors', 'invitations'])
  const confirm = useConfirm()
  const revoke = useRevokeInvitation()
  const { id, code, email, link } = invitation
  const ask = async () => {
    const sure = await confirm({
      title: t('invitations:revokeTitle', { code }),
      text: email ? t('invitations:revokeTextFor', { email }) : t('invitations:revokeText'),
      action: t('invitations:revokeAction'),
      danger: true,
    })
    if (!sure) return
    revoke.mutate(
      { path: { invitation_id: id } },
      {
        onSuccess: () => notifications.show({ message: t('invitations:revoked', { code }) }),
        onError: (problem) =>
          notifications.show({
            color: 'red',
            message: `${t('invitations:revokeFailed', { code })} ${problemText(t, problem)}`,
          }),
      },
    )
  }
  return (
    <span className="row-actions">
      <CopyButton
        size="xs"
        text={link}
        label={t('invitations:copyLink')}
        onForbidden={() => {
          // it is shown for manual copying
          onShare()
          return false
        }}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={30} aria-label={t('invitations:more', { code })} loading={revoke.isPending}>
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconShare size={16} aria-hidden />} onClick={onShare}>
            {t('invitations:share')}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTicketOff size={16} aria-hidden />} onClick={() => void ask()}>
            {t('invitations:revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
