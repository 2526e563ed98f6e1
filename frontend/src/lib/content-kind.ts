import type { AssistantOut, RunOut } from '@/api/types.gen'

/** A post for networks, or an article for a website. */
export type ContentKind = 'post' | 'article'

/** What an assistant writes. */
export const contentKindOfAssistant = ({ website }: Pick<AssistantOut, 'website'>): ContentKind => (website ? 'article' : 'post')

/** What a run has made or makes, or what a post is. */
export const contentKindOf = ({ is_article }: Pick<RunOut, 'is_article'>): ContentKind => (is_article ? 'article' : 'post')

/** Something is said about articles alone, such as from the page of one. */
export const areAllArticles = (posts: readonly Pick<RunOut, 'is_article'>[]): boolean =>
  posts.length > 0 && posts.every(({ is_article }) => is_article)

/** What a number counts, where it may be both; or something that is not there any more, and may have been either. */
export type CountedKind = ContentKind | 'both'

/** `articles`: how many of them are some. */
export const countedKindOf = (all: number, articles: number): CountedKind => (articles === 0 ? 'post' : articles === all ? 'article' : 'both')

export const countedKindIn = (posts: readonly Pick<RunOut, 'is_article'>[]): CountedKind =>
  countedKindOf(posts.length, posts.filter(({ is_article }) => is_article).length)
