import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AccountOut } from '@/api/types.gen'
import { channelName, ChannelIcon } from '@/components/channel'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'

interface AccountChoicesProps extends MenuProps {
  /** The accounts that are not chosen yet. */
  accounts: readonly AccountOut[]
  onChoose: (ids: string[]) => void
}

/** The menu of the accounts that a post can go to as well. */
export function AccountChoices({ accounts, onChoose, button }: AccountChoicesProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" styles={{ dropdown: { maxWidth: 'calc(100vw - 32px)' } }}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {accounts.length > 1 && (
          <Menu.Item onClick={() => onChoose(accounts.map(({ id }) => id))}>{t('posts:composer.allAccounts')}</Menu.Item>
        )}
        {accounts.map((account) => (
          <Menu.Item
            key={account.id}
            leftSection={<ChannelIcon channel={account.kind} />}
            rightSection={account.state === 'needs_reconnecting' ? <small>{t('posts:composer.needsLogin')}</small> : undefined}
            onClick={() => onChoose([account.id])}
          >
            {account.name} <small className="dim">{channelName(account.kind)}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
