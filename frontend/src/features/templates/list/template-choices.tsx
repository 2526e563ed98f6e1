import { Menu } from '@mantine/core'
import { IconCopy, IconDownload, IconEyeOff, IconPencil, IconTrash, IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TemplateOut } from '@/api/types.gen'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'
import { templatePath } from '@/features/templates/links'
import type { useTemplateActions } from './use-template-actions'

interface TemplateChoicesProps extends MenuProps {
  template: TemplateOut
  inList: boolean
  actions: ReturnType<typeof useTemplateActions>
  onPublish: () => void
  onDeleted: () => void
}

/** What can be done with a template. */
export function TemplateChoices({ template, inList, actions, onPublish, onDeleted, button }: TemplateChoicesProps) {
  const { t } = useTranslation(['common', 'templates'])
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={230}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {inList && (
          <Menu.Item component={Link} to={templatePath(template.id)} leftSection={<IconPencil size={16} aria-hidden />}>
            {t('templates:open')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void actions.duplicate(template)}>
          {t('templates:duplicate')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void actions.exportOne(template)}>
          {t('templates:files.export')}
        </Menu.Item>
        {template.visibility === 'private' ? (
          <Menu.Item leftSection={<IconWorld size={16} aria-hidden />} onClick={onPublish}>
            {t('templates:publish.open')}
          </Menu.Item>
        ) : (
          <>
            <Menu.Item leftSection={<IconWorld size={16} aria-hidden />} onClick={onPublish}>
              {t('templates:publish.change')}
            </Menu.Item>
            <Menu.Item leftSection={<IconEyeOff size={16} aria-hidden />} onClick={() => void actions.takeBack(template)}>
              {t('templates:publish.takeBack')}
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void actions.askToDelete(template, onDeleted)}
        >
          {t('templates:delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
