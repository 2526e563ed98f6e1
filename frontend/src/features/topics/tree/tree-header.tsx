import { ActionIcon, Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconDots, IconDownload, IconFileImport, IconPencil, IconPlus, IconRss, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicTreeDetail } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader, type Crumb } from '@/components/page'
import { useDeleteTree } from '@/features/topics/api'
import { problemText } from '@/lib/problems'

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
            <ExportMenu onDownload={onDownload} onCopy={onCopy} />
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
              {t('topics:add')}
            </Button>
            <MoreMenu isDeleting={deletion.isPending} onImport={onImport} onFeeds={onFeeds} onEdit={onEdit} onDelete={() => void deletion.start()} />
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

function ExportMenu({ onDownload, onCopy }: Pick<TreeHeaderProps, 'onDownload' | 'onCopy'>) {
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

interface MoreMenuProps extends Pick<TreeHeaderProps, 'onImport' | 'onFeeds' | 'onEdit'> {
  isDeleting: boolean
  onDelete: () => void
}

function MoreMenu({ isDeleting, onImport, onFeeds, onEdit, onDelete }: MoreMenuProps) {
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
