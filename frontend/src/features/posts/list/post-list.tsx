import { Button } from '@mantine/core'
import { IconHelpHexagon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { useTimeZone } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { countedKindIn } from '@/lib/content-kind'
import { useUrlFilters } from '@/lib/url-filters'
import { usePosts } from '@/features/posts/api'
import { readColumns } from './columns'
import { FilterBar } from './filter-bar'
import { asQuery, narrows, NO_FILTERS, readFilters } from './filters'
import { composePath } from '@/lib/compose-path'
import './post-list.css'
import { PostTable } from './post-table'
import { isUnclear } from '@/features/posts/unclear'
import { useBulk } from './use-bulk'
import { useDelete } from '@/features/posts/use-delete'
import { useImported } from './use-imported'
import { useSelection } from './use-selection'
import { unclearCountQuery } from '@/features/posts/unclear-queries'

const ImportDialog = lazyPart(
  async () => (await import('./import-dialog')).ImportDialog,
)
const RefusedDialog = lazyPart(async () => (await import('./refused-dialog')).RefusedDialog)
const SettleAllDialog = lazyPart(
  async () => (await import('./settle-dialog')).SettleAllDialog,
)

const BulkBar = lazyPart(async () => (await import('./bulk-bar')).BulkBar, <div className="filters selection" />)

const NO_ROWS: readonly PostOut[] = []

export function PostList() {
  const { t } = useTranslation(['common', 'posts'])
  const zone = useTimeZone()
  const { filter, change } = useUrlFilters()
  const filters = readFilters(filter)
  const posts = usePosts(asQuery(filters, zone))
  const rows = posts.data?.pages.flatMap((page) => page.items) ?? NO_ROWS
  const selection = useSelection(rows.map(({ id }) => id))
  const bulk = useBulk(selection.set)
  const deleting = useDelete(bulk)
  const onImported = useImported()
  const clear = () => change(NO_FILTERS)
  const importing = (
    <ImportDialog
      opened={filter('import') !== ''}
      onClose={() => change({ import: null })}
      onImported={(postIds) => onImported(postIds)}
    />
  )

  if (posts.isPending) return <RowSkeletons rows={6} />
  if (posts.isError && !posts.data)
    return <Failure title={t('posts:listFailed')} problem={posts.error} onRetry={() => void posts.refetch()} />
  const last = posts.data.pages.at(-1)
  const total = last?.total ?? 0
  if (rows.length === 0 && !narrows(filters))
    return (
      <>
        {importing}
        <NoPosts onImport={() => change({ import: 'csv' })} />
      </>
    )
  const chosen = rows.filter(({ id }) => selection.ids.has(id))
  return (
    <>
      {importing}
      <SettleAllDialog
        query={asQuery(filters, zone)}
        bulk={bulk}
        opened={filter('settle') !== ''}
        onClose={() => change({ settle: null })}
      />
      {deleting.dialog}
      <RefusedDialog bulk={bulk} />
      {chosen.length > 0 ? (
        <BulkBar
          posts={chosen}
          shown={rows.length}
          bulk={bulk}
          onAll={() => selection.set(rows.map(({ id }) => id))}
          onClear={selection.clear}
          onDelete={() => deleting.start(chosen)}
        />
      ) : (
        last && (
          <FilterBar
            filters={filters}
            columns={readColumns(filter('columns'))}
            counts={last.statuses}
            total={total}
            change={change}
          />
        )
      )}
      <UnclearBanner
        rows={rows}
        query={asQuery(filters, zone)}
        hasMore={posts.hasNextPage}
        withArticles={filters.articlesToo}
        onSettle={() => change({ settle: 'all' })}
      />
      {rows.length === 0 ? (
        <NoMatch
          text={filters.search
              ? t(filters.articlesToo ? 'posts:noMatchBoth' : 'posts:noMatch', { search: filters.search })
              : t(filters.articlesToo ? 'posts:noMatchFiltersBoth' : 'posts:noMatchFilters')
          }
          onClear={clear}
        />
      ) : (
        <PostTable
          rows={rows}
          columns={readColumns(filter('columns'))}
          selection={selection}
          onDelete={() => deleting.start(chosen)}
          onTag={(tag) => change({ tag })}
        />
      )}
      <ListFoot hasMore={posts.hasNextPage} loading={posts.isFetchingNextPage} onMore={() => void posts.fetchNextPage()}>
        {t(filters.articlesToo ? 'posts:countBoth' : 'posts:count', { shown: rows.length, count: total })}
      </ListFoot>
    </>
  )
}

/** The list without any posts. */
function NoPosts({ onImport }: { onImport: () => void }) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <EmptyState
      title={t('posts:emptyTitle')}
      text={t('posts:emptyText')}
      actions={
        <>
          <Button component={Link} to={composePath()}>
            {t('posts:write')}
          </Button>
          <Button component={Link} to={paths.assistants} variant="default">
            {t('posts:toAssistants')}
          </Button>
          <Button variant="subtle" onClick={onImport}>
            {t('posts:files.import')}
          </Button>
        </>
      }
    />
  )
}

interface UnclearBannerProps {
  rows: readonly PostOut[]
  /** The query of the list. */
  query: Parameters<typeof unclearCountQuery>[0]
  hasMore: boolean
  withArticles: boolean
  onSettle: () => void
}

/** Says that the outcome of several posts is unclear, and offers to settle all of them. */
function UnclearBanner({ rows, query, hasMore, withArticles, onSettle }: UnclearBannerProps) {
  const { t } = useTranslation(['common', 'posts'])
  const shown = rows.filter(isUnclear)
  const all = useQuery({ ...unclearCountQuery(query), enabled: shown.length > 1 && hasMore })
  // the button settles all posts of the list, also those that are not loaded
  const count = (hasMore && all.data) || shown.length
  // whether a post that is not loaded is an article is not known
  const kind = count > shown.length && withArticles ? 'both' : countedKindIn(shown)
  if (count <= 1) return null
  return (
    <Banner
      tone="turn"
      icon={<IconHelpHexagon size={18} stroke={1.9} aria-hidden />}
      title={t(`posts:settle.bannerTitle.${kind}`, { count })}
      action={
        <Button size="xs" color="saffron" onClick={onSettle}>
          {t('posts:settle.open')}
        </Button>
      }
    >
      {t(`posts:settle.bannerText.${kind}`)}
    </Banner>
  )
}
