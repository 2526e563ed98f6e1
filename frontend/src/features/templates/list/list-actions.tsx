import { ActionIcon, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, toProblem } from '@/lib/problems'
import { saveAllTemplates } from './files'
import { importTemplatesPath, newTemplatePath } from '@/features/templates/links'

/** The buttons: new template, import, export all. */
export function TemplateListActions() {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const exporting = useMutation({
    mutationFn: saveAllTemplates,
    onSuccess: (files) => {
      if (files > 1) notifications.show({ message: t('templates:files.exportedParts', { count: files }) })
    },
    onError: (error) =>
      void notifications.show({
        color: 'red',
        message: `${t('templates:files.exportFailed')} ${problemText(t, toProblem(error))}`,
      }),
  })
  const exportOnce = useMutateOnce(exporting)
  return (
    <>
      <Button component={Link} to={newTemplatePath} leftSection={<IconPlus size={15} aria-hidden />}>
        {t('templates:create')}
      </Button>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon size={36} variant="default" aria-label={t('templates:moreActions')} loading={exporting.isPending}>
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={importTemplatesPath}
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            {t('templates:files.import')}
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => exportOnce()}>
            {t('templates:files.exportAll')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
