import { paths } from './paths'

/** Return the path to the filtered list of posts and articles, for numbers that count both. */
export const postsAndArticlesPath = (filters: Record<string, string>): string =>
  `${paths.posts}?${String(new URLSearchParams({ ...filters, articles: 'too' }))}`
