import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDots, IconDownload, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicTreeDetail } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader, type Crumb } from '@/components/page'
import { useDeleteTree } from '@/features/topics/api'
import { problemText } from '@/lib/problems'

const ExportMenu = lazy(async () => ({ default: (await import('./tree-menus')).ExportMenu }))
const MoreMenu = lazy(async () => ({ default: (await import('./tree-menus')).MoreMenu }))
const UsedBy = lazyPart(async () => (await import('@/features/topics/detail/used-by')).UsedBy)

interface TreeHeaderProps {
  tree: TopicTreeDetail
  crumbs: Crumb[]
  count: number
  enabled: number
  onAdd: () => void
  onImport: () => void
  onFeeds: () => void
  onDownload: () => void
  onCopy: () => void
  onEdit: () => void
  onDeleted: () => void
}

/** The head of a topic tree: its name, how many topics it has, and what can be done with it. */
export function TreeHeader({ tree, crumbs, count, enabled, onAdd, onImport, onFeeds, onDownload, onCopy, onEdit, onDeleted }: TreeHeaderProps) {
  const { t } = useTranslation(['common', 'topics'])
  const deletion = useTreeDeletion(tree, onDeleted)
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={tree.name}
        sub={
          <>
            <span className="num">
              {[
                t('topics:topicCount', { count }),
                t('topics:enabledCount', { count: enabled }),
                tree.used_by > 0 ? t('topics:usedByCount', { count: tree.used_by }) : t('topics:usedByNone'),
              ].join(', ')}
            </span>
            {tree.description && <span className="tree-about">{tree.description}</span>}
          </>
        }
        actions={
          <>
            <Suspense fallback={<ExportButton />}>
              <ExportMenu onDownload={onDownload} onCopy={onCopy} />
            </Suspense>
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
              {t('topics:add')}
            </Button>
            <Suspense fallback={<MoreButton />}>
              <MoreMenu
                isDeleting={deletion.isPending}
                onImport={onImport}
                onFeeds={onFeeds}
                onEdit={onEdit}
                onDelete={() => void deletion.start()}
              />
            </Suspense>
          </>
        }
      />
      {deletion.message && (
        <div className="notices">
          <div className="form-errors" role="alert">
            {deletion.message}
          </div>
        </div>
      )}
      <UsedBy tree={tree} opened={deletion.isRefused} onClose={deletion.closeRefusal} />
    </>
  )
}

/** Delete the tree after a question. A tree that assistants use is not deleted: `isRefused` then. */
function useTreeDeletion(tree: TopicTreeDetail, onDeleted: () => void) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const confirm = useConfirm()
  const remove = useDeleteTree()
  const [message, setMessage] = useState<string>()
  const [isRefused, refusal] = useDisclosure()

  const start = async () => {
    if (tree.used_by > 0) return refusal.open()
    const sure = await confirm({
      title: t('topics:deleteTitle', { name: tree.name }),
      text: t('topics:deleteText'),
      action: t('topics:delete'),
      danger: true,
    })
    if (!sure) return
    setMessage(undefined)
    remove.mutate(
      { path: { tree_id: tree.id } },
      {
        onSuccess: () => {
          notifications.show({ message: t('topics:deleted', { name: tree.name }) })
          onDeleted()
        },
        onError: (problem) => {
          // an assistant has begun to use the tree since this page was opened
          if (problem.code === 'in_use') refusal.open()
          else setMessage(`${t('topics:deleteFailed')} ${problemText(t, problem)}`)
        },
      },
    )
  }
  return { start, message, isPending: remove.isPending, isRefused, closeRefusal: refusal.close }
}

/** Stands for the menu until that is loaded. */
function ExportButton() {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} disabled>
      {t('topics:export')}
    </Button>
  )
}

/** Stands for the menu until that is loaded. */
function MoreButton() {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <ActionIcon size={36} variant="default" aria-label={t('topics:more')} disabled>
      <IconDots size={17} aria-hidden />
    </ActionIcon>
  )
}
