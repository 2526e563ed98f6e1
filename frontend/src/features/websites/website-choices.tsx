import { Menu } from '@mantine/core'
import { IconPencil, IconPlugConnected, IconStethoscope, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { WebsiteOut } from '@/api/types.gen'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'

interface WebsiteChoicesProps extends MenuProps {
  website: WebsiteOut
  onCheck: () => void
  onChange: () => void
  onReconnect: () => void
  onRemove: () => void
}

/** What can be done with a website. */
export function WebsiteChoices({ website, onCheck, onChange, onReconnect, onRemove, button }: WebsiteChoicesProps) {
  const { t } = useTranslation(['common', 'websites'])
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {website.state && (
          <Menu.Item leftSection={<IconStethoscope size={16} aria-hidden />} onClick={onCheck}>
            {t('websites:checkThis')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onChange}>
          {t(website.feed ? 'websites:settings' : 'websites:change')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPlugConnected size={16} aria-hidden />} onClick={onReconnect}>
          {t('websites:reconnect')}
        </Menu.Item>
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
        >
          {t('websites:remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
