import { withTexts } from '@/i18n'
import { pagePart } from './page-part'
import { RowSkeletons } from './skeletons'

/** Most of what is decided about are posts: what shows an article comes with the first one. */
export const LaterArticle = pagePart(
  async () => (await withTexts(import('./article-shown'), 'article-editor', 'articles')).ArticleShown,
  <RowSkeletons rows={4} />,
)
