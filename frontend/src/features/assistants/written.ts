import type { AssistantOut, RunOut } from '@/api/types.gen'

/** A post for networks, or an article for a website. */
export type Written = 'post' | 'article'

/** What an assistant writes. */
export const writtenBy = ({ website }: Pick<AssistantOut, 'website'>): Written => (website ? 'article' : 'post')

/** What a run has made or makes. */
export const writtenIn = ({ is_article }: Pick<RunOut, 'is_article'>): Written => (is_article ? 'article' : 'post')
