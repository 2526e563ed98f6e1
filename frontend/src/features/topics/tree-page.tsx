import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDots, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicTreeDetail } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { topicTreeQuery, useDeleteTree } from './api'
import { RenameDialog } from './rename-dialog'
import { TopicFacts } from './topic-facts'
import { TopicTree } from './topic-tree'
import { asText, pathOf, treeNodes } from './tree-rows'

interface TopicTreePageProps {
  treeId: string
  onDeleted: () => void
}

export function TopicTreePage({ treeId, onDeleted }: TopicTreePageProps) {
  const { t } = useTranslation()
  const tree = useQuery(topicTreeQuery(treeId))
  if (tree.data) return <Loaded key={treeId} tree={tree.data} onDeleted={onDeleted} />
  return (
    <>
      <PageHeader crumbs={[{ label: t('topics.title'), to: paths.topics }]} title={t('topics.topics')} />
      {tree.isError ? (
        <Failure title={t('topics.readFailed')} problem={tree.error} onRetry={() => void tree.refetch()} />
      ) : (
        <RowSkeletons rows={8} />
      )}
    </>
  )
}

function Loaded({ tree, onDeleted }: { tree: TopicTreeDetail; onDeleted: () => void }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const remove = useDeleteTree()
  const [renaming, rename] = useDisclosure()
  const [chosen, setChosen] = useState<string>()
  const [message, setMessage] = useState<string>()
  const nodes = useMemo(() => treeNodes(tree.topics), [tree.topics])
  const shown = nodes.find(({ topic }) => topic.id === chosen) ?? nodes[0]
  const enabled = tree.topics.filter((topic) => topic.enabled).length

  const askToDelete = async () => {
    const sure = await confirm({
      title: t('topics.deleteTitle', { name: tree.name }),
      text: t('topics.deleteText'),
      action: t('topics.delete'),
      danger: true,
    })
    if (!sure) return
    setMessage(undefined)
    remove.mutate(
      { path: { tree_id: tree.id } },
      {
        onSuccess: () => {
          notifications.show({ message: t('topics.deleted', { name: tree.name }) })
          onDeleted()
        },
        onError: (problem) => setMessage(`${t('topics.deleteFailed')} ${problemText(t, problem)}`),
      },
    )
  }
  return (
    <div className="page-wide">
      <PageHeader
        crumbs={[{ label: t('topics.title'), to: paths.topics }]}
        title={tree.name}
        sub={
          <span className="num">
            {[
              t('topics.topicCount', { count: tree.topic_count }),
              t('topics.enabledCount', { count: enabled }),
              tree.used_by > 0 ? t('topics.usedByCount', { count: tree.used_by }) : t('topics.usedByNone'),
            ].join(', ')}
          </span>
        }
        actions={
          <>
            <Tooltip label={t('topics.exportHint')}>
              <Button
                variant="default"
                leftSection={<IconDownload size={15} aria-hidden />}
                onClick={() => saveAs(`${tree.name}.txt`, asText(tree.topics))}
              >
                {t('topics.export')}
              </Button>
            </Tooltip>
            <Button variant="default" leftSection={<IconPencil size={15} aria-hidden />} onClick={rename.open}>
              {t('topics.rename')}
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon size={36} variant="default" aria-label={t('topics.more')} loading={remove.isPending}>
                  <IconDots size={17} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => void askToDelete()}
                >
                  {t('topics.delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      {message && (
        <div className="notices">
          <div className="form-errors" role="alert">
            {message}
          </div>
        </div>
      )}
      <div className="cols">
        <TopicTree
          label={t('topics.tree', { name: tree.name })}
          nodes={nodes}
          chosen={shown?.topic.id}
          onChoose={setChosen}
        />
        <div className="stack">
          <TopicFacts node={shown} path={shown ? pathOf(tree.topics, shown.topic.id) : []} />
        </div>
      </div>
      <RenameDialog tree={tree} opened={renaming} onClose={rename.close} />
    </div>
  )
}

function saveAs(fileName: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: fileName.replace(/[\\/:*?"<>|]/gu, '-'),
  })
  link.click()
  URL.revokeObjectURL(address)
}
