import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import type { ArticleOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader, type Crumb } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { articleQuery } from '@/features/articles/api'
import { ArticleEditor } from '@/features/articles/editor/article-editor'
import { isDraft, mayEdit } from '@/features/articles/article-state'
import { articlePath, websitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { articleGallery } from './article-gallery'

const ArticleDetail = lazyPart(
  async () => (await import('@/features/articles/article-detail')).ArticleDetail,
  <RowSkeletons />,
)
const parts = () =>
  import('./article-post')
const ArticleWriting = lazyPart(
  async () => (await import('@/features/articles/writing/article-writing')).ArticleWriting,
  <RowSkeletons rows={2} />,
)
const ArticlePost = lazyPart(async () => (await parts()).ArticlePost, <RowSkeletons rows={2} />)
const ArticleDelete = lazyPart(async () => (await parts()).ArticleDelete)

/** The page of an article, below its website if opened from there. */
export function ArticleRoute() {
  const { t } = useTranslation(['common', 'articles', 'navigation'])
  const { postId = '', websiteId } = useParams()
  const article = useQuery(articleQuery(postId))
  const savedArticle = article.data
  const crumbs: Crumb[] =
    websiteId && savedArticle?.website_name
      ? [
          { label: t('navigation:websites'), to: paths.websites },
          { label: savedArticle.website_name, to: websitePath(websiteId) },
        ]
      : [{ label: t('articles:title'), to: paths.articles }]
  // what is being written stays, whatever becomes of the article
  if (isMissing(article.error) && !savedArticle) return <NotFound />
  if (savedArticle)
    return <Article key={postId} article={savedArticle} isDeleted={isMissing(article.error)} crumbs={crumbs} above={websiteId ? websitePath(websiteId) : paths.articles} />
  return (
    <>
      <PageHeader crumbs={crumbs} title={t('articles:article')} />
      {article.isError ? (
        <Failure title={t('articles:readFailed')} problem={article.error} onRetry={() => void article.refetch()} />
      ) : (
        <RowSkeletons />
      )}
    </>
  )
}

interface ArticleProps {
  article: ArticleOut
  isDeleted: boolean
  crumbs: Crumb[]
  /** The page to open when it is deleted. */
  above: string
}

function Article({ article, isDeleted, crumbs, above }: ArticleProps) {
  const navigate = useNavigate()
  const { filter, change } = useUrlFilters()
  // one that a person writes stays in its editor when somebody else sends it
  const [writing, setWriting] = useState(() => mayEdit(article) && isDraft(article))
  // once begun it ends when its author says so: what its site is asked meanwhile, here or elsewhere, ends no sentence
  const asksToEdit = filter('edit') !== ''
  const [editing, setEditing] = useState(false)
  if (editing ? !asksToEdit : asksToEdit && mayEdit(article)) setEditing(asksToEdit)
  const toList = () => void navigate(above)
  if (writing || (editing && asksToEdit))
    return (
      <ArticleEditor
        article={article}
        isDeleted={isDeleted}
        crumbs={crumbs}
        gallery={articleGallery}
        onCreated={(articleId) => void navigate(articlePath(articleId), { replace: true })}
        onDone={() => {
          setWriting(false)
          change({ edit: null })
        }}
        onDeleted={toList}
      />
    )
  return (
    <ArticleDetail
      article={article}
      crumbs={crumbs}
      onEdit={() => change({ edit: 'text' })}
      actions={<ArticleDelete article={article} onDeleted={toList} />}
    >
      {article.writing && <ArticleWriting article={article} writing={article.writing} />}
      {/* until there is all of it, there is nothing to decide about */}
      {(!article.writing || article.writing.again) && <ArticlePost article={article} />}
    </ArticleDetail>
  )
}
