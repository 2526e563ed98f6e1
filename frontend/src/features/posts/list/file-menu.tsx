import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconDownload, IconFileImport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '@/i18n/use-format'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { MOST_LINES, useExportPosts } from './files'
import { asQuery, type Change, type PostFilters } from './filters'

/** The menu that exports the list to a file and imports posts from one. */
export function FileMenu({ filters, total, change }: { filters: PostFilters; total: number; change: Change }) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const zone = useTimeZone()
  const exporting = useExportPosts()
  const exportOnce = useMutateOnce(exporting)
  const save = () =>
    exportOnce(asQuery(filters, zone), {
      onError: (problem) =>
        void notifications.show({ color: 'red', message: `${t('posts:files.exportFailed')} ${problemText(t, problem)}` }),
    })
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon size={32} variant="default" aria-label={t('posts:files.menu')} loading={exporting.isPending}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} disabled={total === 0} onClick={save}>
          {t(filters.articlesToo ? 'posts:files.exportBoth' : 'posts:files.export', { count: Math.min(total, MOST_LINES) })}
          {total > MOST_LINES && (
            <small className="menu-note">{t('posts:files.exportMost', { most: MOST_LINES, count: total })}</small>
          )}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => change({ import: 'csv' })}>
          {t('posts:files.import')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
