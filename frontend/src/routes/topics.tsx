import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { ImportDialog } from '@/features/topics/import-dialog'
import { TopicTreeList, topicTreePath } from '@/features/topics/tree-list'
import { TopicTreePage } from '@/features/topics/tree-page'
import { paths } from '@/lib/paths'

/** All trees; one with `?tree=`, and the import over the list with `?import`. */
export function TopicsRoute() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const treeId = search.get('tree')
  if (treeId) return <TopicTreePage treeId={treeId} onDeleted={() => void navigate(paths.topics)} />
  const openImport = () => void navigate(`${paths.topics}?import`)
  return (
    <>
      <PageHeader
        title={t('topics.title')}
        sub={t('topics.lead')}
        actions={
          <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={openImport}>
            {t('topics.import')}
          </Button>
        }
      />
      <TopicTreeList onImport={openImport} />
      <ImportDialog
        opened={search.has('import')}
        onClose={() => void navigate(paths.topics, { replace: true })}
        onImported={(id) => void navigate(topicTreePath(id), { replace: true })}
      />
    </>
  )
}
