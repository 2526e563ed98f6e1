import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { PostOut, PostStatus } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge, StatusIcon } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { useUrlFilters } from '@/lib/url-filters'
import { assistantsQuery, usePosts } from './api'
import { composePath } from './links'
import { firstLine, stateOf } from './post-state'

const STATUSES: PostStatus[] = ['draft', 'complete', 'published', 'failed']

export function PostList() {
  const { t } = useTranslation()
  const { filter, change } = useUrlFilters()
  const search = filter('search')
  const status = STATUSES.find((known) => known === filter('status')) ?? null
  const assistantId = filter('assistant') || null
  const posts = usePosts({ search, status, assistant_id: assistantId })
  const assistants = useQuery(assistantsQuery)
  const filtered = search !== '' || status !== null || assistantId !== null
  const clear = () => change({ search: null, status: null, assistant: null })

  if (posts.isPending) return <RowSkeletons rows={6} />
  if (posts.isError && !posts.data)
    return <Failure title={t('posts.listFailed')} problem={posts.error} onRetry={() => void posts.refetch()} />
  const rows = posts.data.pages.flatMap((page) => page.items)
  const total = posts.data.pages.at(-1)?.total ?? 0
  if (rows.length === 0 && !filtered)
    return (
      <EmptyState
        title={t('posts.emptyTitle')}
        text={t('posts.emptyText')}
        actions={
          <>
            <Button component={Link} to={composePath()}>
              {t('composer.write')}
            </Button>
            <Button component={Link} to={paths.assistants} variant="subtle">
              {t('posts.toAssistants')}
            </Button>
          </>
        }
      />
    )
  return (
    <>
      <div className="filters">
        <SearchField label={t('posts.search')} value={search} onSearch={(text) => change({ search: text })} />
        <FilterChip selected={status === null} onClick={() => change({ status: null })}>
          {t('posts.all')}
        </FilterChip>
        {STATUSES.map((value) => (
          <FilterChip key={value} selected={value === status} onClick={() => change({ status: value })}>
            <StatusIcon status={value} size={14} />
            {t(`status.${value}`)}
          </FilterChip>
        ))}
        <Select
          className="filter-select"
          aria-label={t('posts.assistant')}
          placeholder={t('posts.anyAssistant')}
          clearable
          clearButtonProps={{ 'aria-label': t('posts.anyAssistant') }}
          data={assistants.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={assistantId}
          onChange={(value) => change({ assistant: value })}
        />
        {filtered && (
          <Button variant="subtle" size="xs" onClick={clear}>
            {t('common.clear')}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <NoMatch text={search ? t('posts.noMatch', { search }) : t('posts.noMatchFilters')} onClear={clear} />
      ) : (
        <PostTable rows={rows} />
      )}
      <ListFoot hasMore={posts.hasNextPage} loading={posts.isFetchingNextPage} onMore={() => void posts.fetchNextPage()}>
        {t('posts.count', { shown: rows.length, count: total })}
      </ListFoot>
    </>
  )
}

function PostTable({ rows }: { rows: PostOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<PostOut>[] = [
    {
      key: 'post',
      header: t('posts.post'),
      card: 'wide',
      cell: (post) => (
        <div className="post-name">
          {post.files[0] ? (
            <img className="thumb" src={post.files[0].url} alt="" loading="lazy" />
          ) : (
            <span className="thumb" aria-hidden="true" />
          )}
          <div className="two">
            <Link className="rowlink clip-2" to={generatePath(paths.post, { socialMediaPostId: post.id })}>
              {firstLine(post.content) || post.topic_title || t('posts.noText')}
            </Link>
            <small>{[post.assistant_name ?? t('posts.byHand'), post.topic_title].filter(Boolean).join(' · ')}</small>
          </div>
        </div>
      ),
    },
    {
      key: 'planned',
      header: t('posts.planned'),
      card: 'start',
      cell: (post) =>
        post.planned_at ? (
          <time className="nowrap" dateTime={post.planned_at}>
            {format.dayAndTime(post.planned_at)}
          </time>
        ) : (
          <span className="dim">{t('posts.notPlanned')}</span>
        ),
    },
    {
      key: 'channels',
      header: t('posts.channels'),
      card: 'end',
      cell: (post) => <ChannelIcons channels={post.deliveries.map((delivery) => delivery.channel)} size={17} />,
    },
    {
      key: 'status',
      header: t('posts.status'),
      card: 'start',
      cell: (post) => <StatusBadge status={stateOf(post)} />,
    },
  ]
  return <DataList label={t('posts.socialPosts')} columns={columns} rows={rows} rowKey={(post) => post.id} />
}
