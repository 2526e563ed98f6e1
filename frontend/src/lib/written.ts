import type { AssistantOut, RunOut } from '@/api/types.gen'

/** A post for networks, or an article for a website. */
export type Written = 'post' | 'article'

/** What an assistant writes. */
export const writtenBy = ({ website }: Pick<AssistantOut, 'website'>): Written => (website ? 'article' : 'post')

/** What a run has made or makes, or what a post is. */
export const writtenIn = ({ is_article }: Pick<RunOut, 'is_article'>): Written => (is_article ? 'article' : 'post')

/** Something is said about articles alone, such as from the page of one. */
export const areArticles = (posts: readonly Pick<RunOut, 'is_article'>[]): boolean =>
  posts.length > 0 && posts.every(({ is_article }) => is_article)

/** What a number counts, where it may be both; or something that is not there any more, and may have been either. */
export type Counted = Written | 'both'

/** `articles`: how many of them are some. */
export const countedOf = (all: number, articles: number): Counted => (articles === 0 ? 'post' : articles === all ? 'article' : 'both')

export const countedIn = (posts: readonly Pick<RunOut, 'is_article'>[]): Counted =>
  countedOf(posts.length, posts.filter(({ is_article }) => is_article).length)
