import { generatePath } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { articlePath } from './article-paths'
import { paths } from './paths'

/** Return the path to the page of a post or an article. */
export const pagePath = ({ id, is_article }: Pick<PostOut, 'id' | 'is_article'>): string =>
  is_article ? articlePath(id) : generatePath(paths.post, { socialMediaPostId: id })
