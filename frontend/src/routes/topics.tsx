import { Button } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearchParams } from 'react-router'
import { later } from '@/components/later'
import { PageHeader } from '@/components/page'
import { newTopicTreePath, topicTreePath } from '@/features/topics/links'
import { TopicTreeList } from '@/features/topics/tree-list'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

const ImportDialog = later(
  async () => (await withTexts(import('@/features/topics/import-dialog'), 'topics', 'validation')).ImportDialog,
)
const NewTreeDialog = later(
  async () => (await withTexts(import('@/features/topics/tree-dialog'), 'topics', 'validation')).NewTreeDialog,
)

/** All trees; over them the import with `?import`, and a new empty tree with `?new`. */
export function TopicsRoute() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const openImport = () => void navigate(`${paths.topics}?import`)
  const openNew = () => void navigate(newTopicTreePath)
  const close = () => void navigate(paths.topics, { replace: true })
  const openTree = (id: string) => void navigate(topicTreePath(id), { replace: true })
  return (
    <>
      <PageHeader
        title={t('topics.title')}
        sub={t('topics.lead')}
        actions={
          <>
            <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={openNew}>
              {t('topics.newTree')}
            </Button>
            <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={openImport}>
              {t('topics.import')}
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
