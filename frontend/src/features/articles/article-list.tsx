import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ArticleRowOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { isUndecided } from '@/components/post-status'
import { RowSkeletons } from '@/components/skeletons'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { articlePath } from '@/lib/article-paths'
import { useUrlFilters } from '@/lib/url-filters'
import { useArticles, websitesQuery } from './api'
import { ArticleBadge } from './article-badge'
import { publishedAt } from './article-state'
import { FilterBar } from './filter-bar'
import { asQuery, narrows, NO_FILTERS, readFilters } from './filters'
import { NewArticleButton } from './new-article-button'

interface ArticleListProps {
  websiteId?: string
  assistantId?: string
}

/** All articles, or those of one website or assistant. */
export function ArticleList({ websiteId, assistantId }: ArticleListProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { filter, change } = useUrlFilters()
  const websites = useQuery(websitesQuery)
  const isWhole = !websiteId && !assistantId
  const filters = readFilters(filter, isWhole)
  const articles = useArticles({ ...asQuery(filters), website_id: websiteId ?? filters.website ?? undefined, assistant_id: assistantId })
  const clear = () => change(NO_FILTERS)

  if (articles.isPending) return <RowSkeletons rows={5} />
  if (articles.isError && !articles.data)
    return <Failure title={t('articles:listFailed')} problem={articles.error} onRetry={() => void articles.refetch()} />
  const rows = articles.data.pages.flatMap((page) => page.items)
  const last = articles.data.pages.at(-1)
  if (rows.length === 0 && !narrows(filters)) {
    if (assistantId) return <EmptyState title={t('articles:emptyTitle')} text={t('articles:emptyAssistant')} actions={null} />
    const offeredWebsites = websites.data?.filter(({ id }) => !websiteId || id === websiteId)
    return (
      <EmptyState
        title={t('articles:emptyTitle')}
        text={t(offeredWebsites?.length === 0 ? 'articles:noSiteText' : websiteId ? 'articles:emptySite' : 'articles:emptyText')}
        actions={<NewArticleButton websites={offeredWebsites} />}
      />
    )
  }
  return (
    <>
      <FilterBar filters={filters} counts={last?.statuses} websites={isWhole ? websites.data : undefined} change={change} />
      {rows.length === 0 ? (
        <NoMatch
          text={filters.search ? t('articles:noMatch', { search: filters.search }) : t('articles:noMatchFilters')}
          onClear={clear}
        />
      ) : (
        <ArticleTable rows={rows} websiteId={websiteId} />
      )}
      <ListFoot hasMore={articles.hasNextPage} loading={articles.isFetchingNextPage} onMore={() => void articles.fetchNextPage()}>
        {t('articles:count', { shown: rows.length, count: last?.total ?? 0 })}
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
    if (article.status === 'draft' && article.approval && isUndecided(article.approval)) {
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
          {article.image_url && <Thumb file={{ kind: 'image', thumbnail_url: article.image_url }} />}
          <div className="two-lines">
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
