import { generatePath } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { articlePath } from './article-paths'
import { paths } from './paths'

/** Where a post is read, or an article, which has a page of its own kind. */
export const pagePath = ({ id, is_article }: Pick<PostOut, 'id' | 'is_article'>): string =>
  is_article ? articlePath(id) : generatePath(paths.post, { socialMediaPostId: id })
