import { lazy, Suspense } from 'react'
import type { ArticleShownOut } from '@/api/types.gen'
import { RowSkeletons } from './skeletons'

const Shown = lazy(async () => ({
  default: (await import('./article-shown')).ArticleShown,
}))

/** Most of what is decided about are posts: what shows an article comes with the first one. */
export function LaterArticle(props: { article: ArticleShownOut; language: string }) {
  return (
    <Suspense fallback={<RowSkeletons rows={4} />}>
      <Shown {...props} />
    </Suspense>
  )
}
