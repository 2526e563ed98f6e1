import { Button } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page'
import { newTopicTreePath, topicTreePath } from '@/features/topics/links'
import { TopicTreeList } from '@/features/topics/tree-list'
import { paths } from '@/lib/paths'

const ImportDialog = lazyPart(
  async () => (await import('@/features/topics/import/import-dialog')).ImportDialog,
)
const NewTreeDialog = lazyPart(
  async () => (await import('@/features/topics/tree-dialog')).NewTreeDialog,
)

/** All trees; over them the import with `?import`, and a new empty tree with `?new`. */
export function TopicsRoute() {
  const { t } = useTranslation(['common', 'topics'])
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const openImport = () => void navigate(`${paths.topics}?import`)
  const openNew = () => void navigate(newTopicTreePath)
  const close = () => void navigate(paths.topics, { replace: true })
  const openTree = (id: string) => void navigate(topicTreePath(id), { replace: true })
  return (
    <>
      <PageHeader
        title={t('topics:title')}
        sub={t('topics:lead')}
        actions={
          <>
            <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={openNew}>
              {t('topics:newTree')}
            </Button>
            <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={openImport}>
              {t('topics:import')}
            </Button>
          </>
        }
      />
      <TopicTreeList onImport={openImport} onNew={openNew} />
      <ImportDialog opened={search.has('import')} onClose={close} onImported={openTree} />
      <NewTreeDialog opened={search.has('new')} onClose={close} onMade={openTree} />
    </>
  )
}
