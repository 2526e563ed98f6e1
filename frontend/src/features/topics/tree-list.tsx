import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TopicTreeOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { useUrlFilters } from '@/lib/url-filters'
import { topicTreePath } from './links'
import { useTopicTrees } from './tree-list-query'

interface TopicTreeListProps {
  onImport: () => void
  onNew: () => void
}

export function TopicTreeList({ onImport, onNew }: TopicTreeListProps) {
  const { t } = useTranslation(['common', 'topics'])
  const format = useFormat()
  const { filter, change } = useUrlFilters()
  const search = filter('search')
  const trees = useTopicTrees(search)

  if (trees.isPending) return <RowSkeletons />
  if (trees.isError && !trees.data)
    return <Failure title={t('topics:listFailed')} problem={trees.error} onRetry={() => void trees.refetch()} />
  const rows = trees.data.pages.flatMap((page) => page.items)
  const total = trees.data.pages.at(-1)?.total ?? 0
  if (rows.length === 0 && !search)
    return (
      <EmptyState
        title={t('topics:emptyTitle')}
        text={t('topics:emptyText')}
        actions={
          <>
            <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={onImport}>
              {t('topics:import')}
            </Button>
            <Button variant="subtle" onClick={onNew}>
              {t('topics:newTree')}
            </Button>
          </>
        }
      />
    )
  const columns: Column<TopicTreeOut>[] = [
    {
      key: 'name',
      header: t('topics:name'),
      card: 'wide',
      cell: (tree) => (
        <div className="two-lines">
          <Link className="rowlink" to={topicTreePath(tree.id)}>
            {tree.name}
          </Link>
          {tree.description && <small>{tree.description}</small>}
        </div>
      ),
    },
    {
      key: 'topics',
      header: t('topics:topics'),
      card: 'start',
      cell: (tree) => <span className="num nowrap">{t('topics:topicCount', { count: tree.topic_count })}</span>,
    },
    {
      key: 'usedBy',
      header: t('topics:usedBy'),
      card: 'end',
      cell: (tree) =>
        tree.used_by > 0 ? (
          <span className="num nowrap">{t('topics:assistants', { count: tree.used_by })}</span>
        ) : (
          <span className="dim nowrap">{t('topics:unused')}</span>
        ),
    },
    {
      key: 'changed',
      header: t('topics:changed'),
      card: 'wide',
      cell: (tree) => (
        <time className="dim nowrap" dateTime={tree.updated_at}>
          {format.dayAndTime(tree.updated_at)}
        </time>
      ),
    },
  ]
  return (
    <>
      <div className="filters">
        <SearchField label={t('topics:search')} value={search} onSearch={(text) => change({ search: text })} />
      </div>
      {rows.length === 0 ? (
        <NoMatch text={t('topics:noMatch', { search })} onClear={() => change({ search: null })} />
      ) : (
        <DataList label={t('topics:title')} columns={columns} rows={rows} rowKey={(tree) => tree.id} />
      )}
      <ListFoot hasMore={trees.hasNextPage} loading={trees.isFetchingNextPage} onMore={() => void trees.fetchNextPage()}>
        {t('topics:count', { count: total })}
      </ListFoot>
    </>
  )
}
