import { paths } from './paths'

/** The list of posts with these filters, and of articles too: where a number counts both, it leads here. */
export const postsAndArticlesPath = (filters: Record<string, string>): string =>
  `${paths.posts}?${String(new URLSearchParams({ ...filters, articles: 'too' }))}`
