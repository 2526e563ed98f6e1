import type { PostOut } from '@/api/types.gen'
import { articlePath } from './article-paths'
import { composePath } from './compose-path'

/** Return the path to a post in the composer, or to an article in its editor. */
export const editPath = ({ id, is_article }: Pick<PostOut, 'id' | 'is_article'>): string =>
  is_article ? editArticlePath(id) : composePath(id)

export const editArticlePath = (articleId: string): string => `${articlePath(articleId)}?edit=text`
