import { Button, Input } from '@mantine/core'
import { IconPlugConnected, IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AccountOut } from '@/api/types.gen'
import { accountName, ChannelIcon } from '@/components/channel'
import { lazyMenu } from '@/components/lazy-menu'
import { keepFocus } from '@/lib/keep-focus'
import { paths } from '@/lib/paths'
import type { ComposerForm } from './use-composer'

const AccountChoices = lazyMenu(async () => (await import('./account-choices')).AccountChoices)

interface AccountFieldProps {
  form: ComposerForm
  accounts: readonly AccountOut[]
  /** The accounts are not loaded yet. */
  pending: boolean
}

/** The accounts that the post goes to, and a menu with the other accounts. */
export function AccountField({ form, accounts, pending }: AccountFieldProps) {
  const { t } = useTranslation(['common', 'posts'])
  const chosen = form.values.account_ids
  const error = form.errors.account_ids
  const unchosen = accounts.filter(({ id }) => !chosen.includes(id))
  const group = useRef<HTMLDivElement>(null)
  const choose = (ids: string[]) => {
    form.setFieldValue('account_ids', ids)
    form.clearFieldError('account_ids')
    // a menu without accounts is not rendered
    if (ids.length < chosen.length || accounts.every(({ id }) => ids.includes(id))) keepFocus(() => group.current)
  }
  if (accounts.length === 0 && !pending) {
    return (
      <div className="nochoice" data-field="account_ids">
        <span>{t('posts:composer.noAccounts')}</span>
        <Button component={Link} to={paths.account} variant="default" size="xs" leftSection={<IconPlugConnected size={14} aria-hidden />}>
          {t('posts:composer.connect')}
        </Button>
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </div>
    )
  }
  return (
    <div className="composer-to" role="group" ref={group} tabIndex={-1} aria-label={t('posts:composer.accounts')} data-field="account_ids">
      <div className="composer-accounts">
        {chosen.map((id) => {
          const account = accounts.find((candidate) => candidate.id === id)
          return (
            <span key={id} className="composer-account">
              {account && <ChannelIcon channel={account.kind} />}
              <span className="clip">{account?.name ?? t('posts:composer.goneAccount')}</span>
              {account?.state === 'needs_reconnecting' && <small className="composer-away">{t('posts:composer.needsLogin')}</small>}
              <button
                type="button"
                aria-label={t('posts:composer.removeAccount', { name: account ? accountName(account) : t('posts:composer.goneAccount') })}
                onClick={() => choose(chosen.filter((otherId) => otherId !== id))}
              >
                <IconX size={14} aria-hidden />
              </button>
            </span>
          )
        })}
        {unchosen.length > 0 && (
          <AccountChoices
            accounts={unchosen}
            onChoose={(ids) => choose([...chosen, ...ids])}
            button={(props) => (
              <Button variant="default" size="sm" leftSection={<IconPlus size={14} aria-hidden />} {...props}>
                {t('posts:composer.addAccount')}
              </Button>
            )}
          />
        )}
      </div>
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}
