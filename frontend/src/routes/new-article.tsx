import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { articleQuery, websitesQuery } from '@/features/articles/api'
import { ArticleEditor } from '@/features/articles/editor/article-editor'
import { isLanguage } from '@/i18n/languages'
import { articlePath, connectWebsitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'
import { validId } from '@/lib/url-filters'
import { useEditorKey } from '@/lib/use-editor-key'
import { articleGallery } from './article-gallery'

/** The editor of a new article. When it is saved, the URL names it, and typing continues. */
export function NewArticleRoute() {
  const { t } = useTranslation(['common', 'articles'])
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const websiteId = search.get('new') ?? ''
  const articleId = validId(search.get('id') ?? '')
  const { editorKey, expectId } = useEditorKey(articleId ?? '')
  const websites = useQuery(websitesQuery)
  const article = useQuery({ ...articleQuery(articleId ?? ''), enabled: articleId !== null })
  const crumbs = [{ label: t('articles:title'), to: paths.articles }]
  const failed = websites.isError && !websites.data ? websites : article.isError && !article.data ? article : null
  // what is being written stays, whatever becomes of the article
  if (isMissing(article.error) && !article.data) return <NotFound />
  if (!websites.data || (articleId && !article.data))
    return (
      <>
        <PageHeader crumbs={crumbs} title={t('articles:editor.new')} />
        {failed ? (
          <Failure title={t('articles:readFailed')} problem={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <RowSkeletons />
        )}
      </>
    )
  if (websites.data.length === 0 && !article.data)
    return (
      <>
        <PageHeader crumbs={crumbs} title={t('articles:editor.new')} />
        <EmptyState
          title={t('articles:emptyTitle')}
          text={t('articles:noSiteText')}
          actions={
            <Button component={Link} to={connectWebsitePath}>
              {t('articles:connectSite')}
            </Button>
          }
        />
      </>
    )
  // where several could be meant, the editor asks for one
  const [only, ...moreWebsites] = websites.data
  const website = websites.data.find(({ id }) => id === websiteId) ?? (moreWebsites.length === 0 ? only : undefined)
  return (
    <ArticleEditor
      key={`${websiteId} ${editorKey}`}
      article={article.data}
      isDeleted={isMissing(article.error)}
      websiteId={website?.id}
      siteLanguage={website && isLanguage(website.language) ? website.language : undefined}
      crumbs={crumbs}
      gallery={articleGallery}
      onCreated={(id) => {
        expectId(id)
        setSearch({ new: websiteId, id }, { replace: true })
      }}
      onDone={(id) => void navigate(articlePath(id), { replace: true })}
      onDeleted={() => void navigate(paths.articles)}
    />
  )
}
