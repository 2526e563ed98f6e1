import { Button } from '@mantine/core'
import { IconExternalLink, IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { ArticleOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { PageHeader, type Crumb } from '@/components/page'
import { Panel } from '@/components/panel'
import { isUndecided } from '@/components/post-status'
import { RenderedHtml } from '@/components/rendered-html'
import { RowSkeletons } from '@/components/skeletons'
import { isLanguage } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { websitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { runPath } from '@/lib/run-path'
import { usePreview, useTerms } from './api'
import { ArticleBadge } from './article-badge'
import { mayEdit, publishedAt } from './article-state'
import './articles.css'

interface ArticleDetailProps {
  article: ArticleOut
  crumbs: Crumb[]
  onEdit: () => void
  /** Further actions. */
  actions: ReactNode
  /** The decisions on the article, and its deliveries. */
  children: ReactNode
}

/** A published or scheduled article: its state, and how readers see it. */
export function ArticleDetail({ article, crumbs, onEdit, actions, children }: ArticleDetailProps) {
  const { t } = useTranslation(['common', 'articles'])
  const live = article.deliveries.find(({ permalink, removal }) => permalink && removal?.state !== 'removed')?.permalink
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={article.title || t('articles:noTitle')}
        badge={<ArticleBadge article={article} />}
        actions={
          <>
            {actions}
            {mayEdit(article) && (
              <Button variant="default" leftSection={<IconPencil size={15} aria-hidden />} onClick={onEdit}>
                {t('articles:editor.edit')}
              </Button>
            )}
            {live && (
              <Button
                component="a"
                href={live}
                target="_blank"
                rel="noreferrer"
                rightSection={<IconExternalLink size={15} aria-hidden />}
              >
                {t('articles:editor.openPage')}
              </Button>
            )}
          </>
        }
      />
      <div className="cols">
        <div className="stack">
          {children}
          <Text article={article} />
        </div>
        <div className="stack">
          <About article={article} />
        </div>
      </div>
    </>
  )
}

/** The article as readers see it. */
function Text({ article }: { article: ArticleOut }) {
  const { t } = useTranslation(['common', 'articles'])
  const preview = usePreview(article.content, article.title)
  const { featured } = article
  return (
    <Panel title={t('articles:editor.text')}>
      <div className="article-body" lang={article.language}>
        {featured && <img className="article-lead" src={featured.url} alt={featured.alt} width={featured.width} height={featured.height} />}
        {preview.data ? (
          preview.data.html ? (
            <RenderedHtml html={preview.data.html} />
          ) : (
            <p className="dim">{t('articles:editor.noText')}</p>
          )
        ) : preview.isError ? (
          <Failure title={t('articles:editor.previewFailed')} problem={preview.error} onRetry={() => void preview.refetch()} />
        ) : (
          <RowSkeletons rows={3} />
        )}
      </div>
    </Panel>
  )
}

function About({ article }: { article: ArticleOut }) {
  const { t } = useTranslation(['common', 'articles'])
  const format = useFormat()
  const { fields, planned_at: planned, website_id: websiteId } = article
  const out = publishedAt(article)
  // an article to be published on approval has no time but the decision's
  const openApproval = isUndecided(article.approval) && article.status === 'draft' ? article.approval : null
  const terms = useTerms(fields.categories.length > 0 ? (websiteId ?? '') : '')
  const moment = (at: string) => <time dateTime={at}>{format.dayAndTime(at)}</time>
  return (
    <Panel title={t('articles:editor.facts')}>
      <Facts
        facts={[
          [
            t('articles:editor.website'),
            websiteId ? (
              <Link className="link" to={websitePath(websiteId)}>
                {article.website_name}
              </Link>
            ) : (
              t('articles:siteGone')
            ),
          ],
          [
            t('articles:editor.assistant'),
            article.assistant_id && (
              <Link className="link" to={generatePath(paths.assistant, { assistantId: article.assistant_id })}>
                {article.assistant_name}
              </Link>
            ),
          ],
          [
            t('articles:editor.run'),
            article.assistant_id && article.run_id && (
              <Link className="link" to={runPath(article.assistant_id, article.run_id)}>
                {t('articles:editor.toRun')}
              </Link>
            ),
          ],
          [t('articles:editor.published'), out && moment(out)],
          [t('articles:editor.changedThere'), article.at_site?.changed_at && moment(article.at_site.changed_at)],
          [t('articles:editor.planned'), !out && (openApproval?.at_once ? t('articles:editor.atOnce') : planned && moment(planned))],
          [t('articles:editor.decideUntil'), openApproval && moment(openApproval.deadline_at)],
          [t('articles:editor.timeZone'), !out && article.time_zone],
          [t('articles:editor.slugFact'), fields.slug && `/${article.at_site?.slug ?? fields.slug}`],
          [
            t('articles:words'),
            `${format.number(article.words)} · ${t('articles:editor.reading', { count: article.reading_minutes })}`,
          ],
          [
            t('articles:editor.language'),
            isLanguage(article.language) ? t(`languages.${article.language}`) : article.language,
          ],
          [
            t('articles:editor.categories'),
            fields.categories.length > 0 && terms.data && (
              <span className="tags">
                {fields.categories.map((id) => (
                  <span key={id} className="tag">
                    <span className="clip">{categoryName(id)}</span>
                  </span>
                ))}
              </span>
            ),
          ],
          [
            t('articles:editor.tagsFact'),
            fields.tags.length > 0 && (
              <span className="tags">
                {fields.tags.map((tag) => (
                  <span key={tag} className="tag">
                    <span className="clip">{tag}</span>
                  </span>
                ))}
              </span>
            ),
          ],
          [t('articles:editor.summaryFact'), fields.summary],
          [t('articles:editor.seoTitleFact'), fields.seo_title],
          [t('articles:editor.seoDescriptionFact'), fields.seo_description],
          [t('articles:editor.canonicalFact'), fields.canonical_url],
          [t('articles:editor.writtenBy'), writer()],
          [t('articles:editor.created'), moment(article.created_at)],
        ]}
      />
    </Panel>
  )

  /** Return the name of a category, also of one that the site has deleted. */
  function categoryName(id: string) {
    return terms.data?.categories.find((category) => category.id === id)?.name ?? terms.data?.gone[id] ?? id
  }

  function writer() {
    if (article.is_demo) return t('articles:editor.demoWriter')
    return article.written_by || t('articles:editor.person')
  }
}
