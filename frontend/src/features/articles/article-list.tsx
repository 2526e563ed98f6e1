import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PostFact, PostSort, PostStatus, type ArticleRowOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { FactIcon } from '@/components/fact-icon'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { StatusIcon } from '@/components/status'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { articlePath } from '@/lib/article-paths'
import { validId, useUrlFilters } from '@/lib/url-filters'
import { useArticles, websitesQuery } from './api'
import { ArticleBadge } from './article-badge'
import { publishedAt } from './article-state'
import { NewArticleButton } from './new-article-button'

const STATUSES = Object.values(PostStatus)
const FACTS = Object.values(PostFact)
/** What the badge of an article says more often than not; the address takes the others, too. */
const OFFERED: readonly PostFact[] = ['waiting', 'held']
const SORTS = Object.values(PostSort)
const FILTERS = { search: null, status: null, state: null, website: null }

interface ArticleListProps {
  websiteId?: string
  assistantId?: string
}

/** All articles, or those of one website or assistant. */
export function ArticleList({ websiteId, assistantId }: ArticleListProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { filter, change } = useUrlFilters()
  const websites = useQuery(websitesQuery)
  const search = filter('search')
  const said = filter('status').split(',')
  const statuses = STATUSES.filter((status) => said.includes(status))
  const saidFacts = filter('state').split(',')
  const facts = FACTS.filter((fact) => saidFacts.includes(fact))
  const website = (websiteId ?? assistantId) ? null : validId(filter('website'))
  const sort = SORTS.find((known) => known === filter('sort')) ?? PostSort.UPDATED_LATEST
  const articles = useArticles({
    search,
    status: statuses.length > 0 ? statuses : undefined,
    state: facts.length > 0 ? facts : undefined,
    website_id: websiteId ?? website ?? undefined,
    assistant_id: assistantId,
    sort,
  })
  const narrows = search !== '' || statuses.length > 0 || facts.length > 0 || website !== null
  const clear = () => change(FILTERS)

  if (articles.isPending) return <RowSkeletons rows={5} />
  if (articles.isError && !articles.data)
    return <Failure title={t('articles:listFailed')} problem={articles.error} onRetry={() => void articles.refetch()} />
  const rows = articles.data.pages.flatMap((page) => page.items)
  const total = articles.data.pages.at(-1)?.total ?? 0
  const counts = articles.data.pages.at(-1)?.statuses ?? { draft: 0, complete: 0, published: 0, failed: 0 }
  const every = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (rows.length === 0 && !narrows && assistantId) return <EmptyState title={t('articles:emptyTitle')} text={t('articles:emptyAssistant')} actions={null} />
  if (rows.length === 0 && !narrows) {
    const own = websites.data?.filter(({ id }) => !websiteId || id === websiteId)
    return (
      <EmptyState
        title={t('articles:emptyTitle')}
        text={t(own?.length === 0 ? 'articles:noSiteText' : websiteId ? 'articles:emptySite' : 'articles:emptyText')}
        actions={<NewArticleButton websites={own} />}
      />
    )
  }
  return (
    <>
      <div className="filters">
        <SearchField label={t('articles:search')} value={search} onSearch={(text) => change({ search: text })} />
        <FilterChip selected={statuses.length === 0} count={every} onClick={() => change({ status: null })}>
          {t('articles:all')}
        </FilterChip>
        {STATUSES.map((status) => (
          <FilterChip
            key={status}
            selected={statuses.includes(status)}
            count={counts[status]}
            onClick={() => {
              const chosen = STATUSES.filter((one) => (one === status) !== statuses.includes(one))
              change({ status: chosen.join(',') || null })
            }}
          >
            <StatusIcon status={status} size={14} />
            {t(`status.${status}`)}
          </FilterChip>
        ))}
        {FACTS.filter((fact) => OFFERED.includes(fact) || facts.includes(fact)).map((fact) => (
          <FilterChip
            key={fact}
            selected={facts.includes(fact)}
            onClick={() => {
              const chosen = FACTS.filter((one) => (one === fact) !== facts.includes(one))
              change({ state: chosen.join(',') || null })
            }}
          >
            <FactIcon fact={fact} />
            {t(fact === 'not_deleted' ? 'articles:notTakenDown' : `status.${fact}`)}
          </FilterChip>
        ))}
        {!websiteId && !assistantId && (websites.data?.length ?? 0) > 1 && (
          <Select
            className="list-select"
            aria-label={t('articles:website')}
            placeholder={t('articles:anyWebsite')}
            clearable
            data={(websites.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={website}
            onChange={(value) => change({ website: value })}
          />
        )}
        <Select
          className="list-select wide"
          aria-label={t('articles:sort')}
          allowDeselect={false}
          data={SORTS.map((value) => ({ value, label: t(`articles:sorts.${value}`) }))}
          value={sort}
          onChange={(value) => change({ sort: value === PostSort.UPDATED_LATEST ? null : value })}
        />
        {narrows && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {t('clear')}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <NoMatch text={search ? t('articles:noMatch', { search }) : t('articles:noMatchFilters')} onClear={clear} />
      ) : (
        <ArticleTable rows={rows} websiteId={websiteId} />
      )}
      <ListFoot hasMore={articles.hasNextPage} loading={articles.isFetchingNextPage} onMore={() => void articles.fetchNextPage()}>
        {t('articles:count', { shown: rows.length, count: total })}
      </ListFoot>
    </>
  )
}

function ArticleTable({ rows, websiteId }: { rows: readonly ArticleRowOut[]; websiteId?: string }) {
  const { t } = useTranslation(['common', 'articles'])
  const format = useFormat()
  const when = (article: ArticleRowOut) => {
    const out = publishedAt(article)
    if (out) return <time dateTime={out}>{t('articles:outAt', { when: format.dayAndTime(out) })}</time>
    if (!article.planned_at) return <span className="dim">{t('articles:notPlanned')}</span>
    if (article.status === 'draft' && article.approval?.state === 'waiting') {
      const until = article.approval.deadline_at
      return <time dateTime={until}>{t('articles:waitsUntil', { when: format.dayAndTime(until) })}</time>
    }
    const planned = format.dayAndTime(article.planned_at)
    const isHeld = article.deliveries.some(({ state }) => state === 'held')
    return (
      <time dateTime={article.planned_at}>
        {article.status === 'complete' && !isHeld ? t('articles:goesOut', { when: planned }) : planned}
      </time>
    )
  }
  const columns: Column<ArticleRowOut>[] = [
    {
      key: 'title',
      header: t('articles:article'),
      card: 'wide',
      cell: (article) => (
        <div className="post-name">
          {article.image_url && <Thumb url={article.image_url} />}
          <div className="two">
            <Link className="rowlink" to={articlePath(article.id, websiteId)}>
              {article.title || t('articles:noTitle')}
            </Link>
            <small>
              {[!websiteId && (article.website_name ?? t('articles:siteGone')), article.assistant_name, article.slug && `/${article.slug}`].filter(Boolean).join(' · ')}
            </small>
          </div>
        </div>
      ),
    },
    { key: 'status', header: t('articles:status'), card: 'wide', cell: (article) => <ArticleBadge article={article} /> },
    { key: 'when', header: t('articles:when'), card: 'start', cell: when },
    {
      key: 'words',
      header: t('articles:length'),
      numeric: true,
      card: 'end',
      cell: ({ words }) => t('articles:wordCount', { count: words }),
    },
    {
      key: 'updated',
      header: t('articles:updated'),
      card: 'hidden',
      spare: true,
      cell: ({ updated_at }) => <time dateTime={updated_at}>{format.dayAndTime(updated_at)}</time>,
    },
  ]
  return <DataList label={t('articles:list')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}
