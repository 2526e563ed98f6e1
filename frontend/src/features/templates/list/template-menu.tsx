import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconDots, IconDownload, IconEyeOff, IconPencil, IconTrash, IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TemplateOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { templatePath } from '@/features/templates/links'
import { useTemplateActions } from './use-template-actions'

const PublishDialog = lazyPart(async () => (await import('./publish-dialog')).PublishDialog)

interface TemplateMenuProps {
  template: TemplateOut
  /** Whether it is in a list: smaller, with an entry that opens the template. */
  inList?: boolean
  /** Whether there are unsaved changes, which the dialog says are kept. */
  unsaved?: boolean
  onDeleted: () => void
}

export function TemplateMenu({ template, inList = false, unsaved = false, onDeleted }: TemplateMenuProps) {
  const { t } = useTranslation(['common', 'templates'])
  const actions = useTemplateActions()
  const [publishing, publish] = useDisclosure()
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon
            className={inList ? 'row-menu' : undefined}
            size={inList ? 32 : 36}
            variant={inList ? 'subtle' : 'default'}
            aria-label={t('templates:more', { template: template.name })}
            loading={actions.busy}
          >
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
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
            <Menu.Item leftSection={<IconWorld size={16} aria-hidden />} onClick={publish.open}>
              {t('templates:publish.open')}
            </Menu.Item>
          ) : (
            <>
              <Menu.Item leftSection={<IconWorld size={16} aria-hidden />} onClick={publish.open}>
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
      <PublishDialog template={template} unsaved={unsaved} opened={publishing} onClose={publish.close} />
    </>
  )
}
