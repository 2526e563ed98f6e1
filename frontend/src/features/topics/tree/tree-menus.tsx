import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconDownload, IconFileImport, IconPencil, IconRss, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

interface ExportMenuProps {
  onDownload: () => void
  onCopy: () => void
}

/** The menu with what can be done with a tree's lines. */
export function ExportMenu({ onDownload, onCopy }: ExportMenuProps) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />}>
          {t('topics:export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onDownload}>
          {t('topics:download')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={onCopy}>
          {t('topics:copyLines')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface MoreMenuProps {
  isDeleting: boolean
  onImport: () => void
  onFeeds: () => void
  onEdit: () => void
  onDelete: () => void
}

/** The menu with everything else. */
export function MoreMenu({ isDeleting, onImport, onFeeds, onEdit, onDelete }: MoreMenuProps) {
  const { t } = useTranslation(['common', 'topics'])
  /** Whether the panel of the feeds gets the focus, and not the menu's button. */
  const [goesToFeeds, setGoesToFeeds] = useState(false)
  return (
    <Menu
      position="bottom-end"
      returnFocus={!goesToFeeds}
      onOpen={() => setGoesToFeeds(false)}
      onExitTransitionEnd={() => goesToFeeds && onFeeds()}
    >
      <Menu.Target>
        <ActionIcon size={36} variant="default" aria-label={t('topics:more')} loading={isDeleting}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={onImport}>
          {t('topics:act.import')}
        </Menu.Item>
        <Menu.Item leftSection={<IconRss size={16} aria-hidden />} onClick={() => setGoesToFeeds(true)}>
          {t('topics:feeds')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          {t('topics:edit')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          className="tree-danger"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onDelete}
        >
          {t('topics:delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
