import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AccountOut } from '@/api/types.gen'
import { ChannelIcon } from '@/components/channel'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'

interface OwnTextChoicesProps extends MenuProps {
  /** The accounts without a text of their own. */
  accounts: readonly AccountOut[]
  onChoose: (account: AccountOut) => void
}

/** The menu of the accounts that can get a text of their own. */
export function OwnTextChoices({ accounts, onChoose, button }: OwnTextChoicesProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('posts:composer.ownTextHint')}</Menu.Label>
        {accounts.map((account) => (
          <Menu.Item key={account.id} leftSection={<ChannelIcon channel={account.kind} />} onClick={() => onChoose(account)}>
            {account.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
