import { ActionIcon, Avatar, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconDots, IconPlugConnected, IconPlugConnectedX, IconStethoscope } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, AccountState, FieldProblem, GivenBack } from '@/api/types.gen'
import { channelName, ChannelTile } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { StatusBadge, type Status } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { openDialog } from '@/lib/dialogs'
import { problemText } from '@/lib/problems'
import { accountType } from './account-type'
import { channelsQuery, useDisconnect, useStartConnecting } from './api'
import { CheckAccount, ConnectDialog } from './dialogs'

const looks = {
  connected: 'published',
  needs_reconnecting: 'failed',
} satisfies Record<AccountState, Status>

export function AccountList({ accounts }: { accounts: readonly AccountOut[] }) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  return (
    <section className="panel" aria-label={t('socialAccounts:title')}>
      <ul className="accounts">
        {accounts.map((account) => (
          <Account key={account.id} account={account} />
        ))}
      </ul>
    </section>
  )
}

function Account({ account }: { account: AccountOut }) {
  const { t } = useTranslation(['common', 'socialAccounts', 'errors'])
  const format = useFormat()
  const { reconnect, isConnecting, error, dialog } = useReconnect(account)
  const { name } = account
  const facts = [
    t('socialAccounts:usedBy', { count: account.used_by }),
    account.last_used_at
      ? t('socialAccounts:lastPost', { when: format.dayAndTime(account.last_used_at) })
      : t('socialAccounts:notUsed'),
  ]
  const check = () => {
    openDialog((close) => ({
      title: t('socialAccounts:check.title', { name }),
      children: (
        <CheckAccount
          account={account}
          onDone={close}
          onReconnect={() => {
            close()
            reconnect()
          }}
        />
      ),
    }))
  }
  const needsLogin = account.state !== 'connected' || account.expires_soon
  return (
    <li className="acc">
      <span className="acc-pic">
        <Avatar src={account.picture_url} name={name} size={42} alt="" />
        <span className="acc-ch">
          <ChannelTile channel={account.kind} size={18} />
        </span>
      </span>
      <div className="acc-name two-lines">
        <b>{name}</b>
        <small>
          {channelName(account.kind)} · {accountType(t, account.type, account.kind)}
        </small>
      </div>
      <div className="acc-mid two-lines">
        <span>{useValidity(account)}</span>
        <small className="num">{facts.join(' · ')}</small>
        {account.first_comment_error && <CommentRefusal network={channelName(account.kind)} refusal={account.first_comment_error} />}
        {error && (
          <small className="acc-error" role="alert">
            {problemText(t, error)}
          </small>
        )}
      </div>
      <span className="acc-state">
        {account.expires_soon ? (
          <StatusBadge status="waiting" label={t('socialAccounts:expiresSoon')} />
        ) : (
          <StatusBadge status={looks[account.state]} label={t(`socialAccounts:${account.state}`)} />
        )}
      </span>
      <span className="acc-act">
        {needsLogin ? (
          <Button
            size="xs"
            variant={account.state === 'needs_reconnecting' ? 'filled' : 'default'}
            leftSection={<IconPlugConnected size={14} aria-hidden />}
            loading={isConnecting}
            onClick={reconnect}
          >
            {t('socialAccounts:reconnect')}
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconStethoscope size={14} aria-hidden />}
            aria-label={t('socialAccounts:check.title', { name })}
            onClick={check}
          >
            {t('socialAccounts:check.short')}
          </Button>
        )}
        <AccountMenu account={account} onCheck={needsLogin ? check : undefined} />
      </span>
      {dialog}
    </li>
  )
}

/** Return what starts to connect an account again, and the dialog of a network that needs a form for it. */
function useReconnect(account: AccountOut) {
  const { mutate, data, error, isPending } = useStartConnecting()
  const channel = useQuery(channelsQuery).data?.find(({ kind }) => kind === account.kind)
  const [isAsking, setAsking] = useState(false)
  const hasForm = channel !== undefined && channel.connection.fields.length > 0
  const close = () => setAsking(false)
  return {
    reconnect: () => {
      if (hasForm) setAsking(true)
      else mutate({ path: { kind: account.kind }, body: {} })
    },
    /** Also while the browser leaves for the network's page. */
    isConnecting: isPending || Boolean(data?.authorize_url),
    error,
    dialog: hasForm && (
      <ConnectDialog channel={channel} initialValues={account.form} opened={isAsking} onClose={close} onConnected={close} />
    ),
  }
}

interface AccountMenuProps {
  account: AccountOut
  /** Absent if the check has a button of its own. */
  onCheck: (() => void) | undefined
}

function AccountMenu({ account, onCheck }: AccountMenuProps) {
  const { t } = useTranslation(['common', 'socialAccounts', 'errors'])
  const confirm = useConfirm()
  const disconnect = useDisconnect()
  const { name } = account

  const askToDisconnect = async () => {
    const sure = await confirm({
      title: t('socialAccounts:disconnectTitle', { name }),
      text: t('socialAccounts:disconnectText', { count: account.used_by }),
      action: t('socialAccounts:disconnectAction'),
      danger: true,
    })
    if (!sure) return
    disconnect.mutate(
      { path: { account_id: account.id } },
      {
        onSuccess: ({ access }) => {
          const left = remainingAccess(access)
          notifications.show({
            message: left
              ? `${t('socialAccounts:disconnected', { name })} ${t(left, { network: channelName(account.kind) })}`
              : t('socialAccounts:disconnected', { name }),
            ...(left && { color: 'yellow', autoClose: 12_000 }),
          })
        },
        onError: (problem) =>
          notifications.show({
            color: 'red',
            message: `${t('socialAccounts:disconnectFailed', { name })} ${problemText(t, problem)}`,
          }),
      },
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={36} aria-label={t('socialAccounts:more', { name })} loading={disconnect.isPending}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onCheck && (
          <Menu.Item leftSection={<IconStethoscope size={16} aria-hidden />} onClick={onCheck}>
            {t('socialAccounts:check.action')}
          </Menu.Item>
        )}
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconPlugConnectedX size={16} aria-hidden />}
          onClick={() => void askToDisconnect()}
        >
          {t('socialAccounts:disconnect')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Return the text for access that the network has not withdrawn. */
function remainingAccess(access: GivenBack) {
  if (access === 'waiting') return 'socialAccounts:accessWaiting'
  if (access === 'refused') return 'socialAccounts:accessRefused'
  return null
}

function useValidity({ state, expires_at, expires_soon, kind }: AccountOut): string {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const format = useFormat()
  const network = channelName(kind)
  if (state === 'needs_reconnecting') return t('socialAccounts:expired', { network })
  if (expires_at && expires_soon) return t('socialAccounts:endsSoon', { day: format.day(expires_at) })
  if (!expires_at) return t('socialAccounts:noEnd')
  return t('socialAccounts:validUntil', { day: format.day(expires_at) })
}

/** Why the server's app may not publish first comments, and what its operator needs for it. */
function CommentRefusal({ network, refusal }: { network: string; refusal: FieldProblem }) {
  const { t } = useTranslation(['common', 'errors', 'socialAccounts'])
  const need = (name: string) => String(refusal.params[name])
  return (
    <details className="acc-limits">
      <summary>{t('socialAccounts:noFirstComment', { network })}</summary>
      <p>{problemText(t, refusal)}</p>
      <p>
        <small>
          {t('socialAccounts:operatorNeeds', { network, product: need('product'), scope: need('scope'), setting: need('setting') })}
        </small>
      </p>
    </details>
  )
}
