import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'

interface AssistantChoicesProps extends MenuProps {
  isActive: boolean
  onDelete: () => void
}

/** The menu of what can be done with an assistant besides editing it. */
export function AssistantChoices({ isActive, onDelete, button }: AssistantChoicesProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          c="var(--mantine-color-error)"
          disabled={isActive}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onDelete}
        >
          {t('assistants:delete')}
        </Menu.Item>
        {isActive && <Menu.Label>{t('assistants:deleteOnlyInactive')}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
