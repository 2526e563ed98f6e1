import type { AssistantOut, RunOut } from '@/api/types.gen'

/** Whether something is a post for networks or an article for a website. */
export type ContentKind = 'post' | 'article'

/** Return whether the assistant writes posts or articles. */
export const contentKindOfAssistant = ({ website }: Pick<AssistantOut, 'website'>): ContentKind => (website ? 'article' : 'post')

/** Return whether a run makes a post or an article, or whether a post is an article. */
export const contentKindOf = ({ is_article }: Pick<RunOut, 'is_article'>): ContentKind => (is_article ? 'article' : 'post')

/** Return whether all of them are articles. An empty list has none. */
export const areAllArticles = (posts: readonly Pick<RunOut, 'is_article'>[]): boolean =>
  posts.length > 0 && posts.every(({ is_article }) => is_article)

/** What a number counts: posts, articles, or both. `both` also stands for something deleted that may have been either. */
export type CountedKind = ContentKind | 'both'

/** Return what a number counts, of which `articles` are articles. */
export const countedKindOf = (all: number, articles: number): CountedKind => (articles === 0 ? 'post' : articles === all ? 'article' : 'both')

export const countedKindIn = (posts: readonly Pick<RunOut, 'is_article'>[]): CountedKind =>
  countedKindOf(posts.length, posts.filter(({ is_article }) => is_article).length)
