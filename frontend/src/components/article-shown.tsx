import { useTranslation } from 'react-i18next'
import type { ArticleShownOut } from '@/api/types.gen'
import './article-shown.css'
import { RenderedHtml } from './rendered-html'

interface ArticleShownProps {
  article: ArticleShownOut
  language: string
}

/** An article as its readers will see it, for the approval. */
export function ArticleShown({ article, language }: ArticleShownProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { title, summary, html, website, words, reading_minutes, featured } = article
  return (
    <div className="article-shown">
      <p className="num">
        {[website, t('articles:wordCount', { count: words }), t('articles:editor.reading', { count: reading_minutes })].filter(Boolean).join(' · ')}
      </p>
      <div className="article-body" lang={language}>
        {featured && <img className="article-lead" src={featured.url} alt={featured.alt} width={featured.width} height={featured.height} />}
        <h2>{title}</h2>
        {summary && <p className="article-summary">{summary}</p>}
        <RenderedHtml html={html} />
      </div>
    </div>
  )
}
