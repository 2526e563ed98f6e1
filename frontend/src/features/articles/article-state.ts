import type { ArticleOut, ArticleRowOut } from '@/api/types.gen'
import { postStatus } from '@/components/post-status'
import type { Status } from '@/components/status'

type Article = Pick<ArticleRowOut, 'status' | 'deliveries' | 'approval'>

/** What a badge says about an article. */
export const stateOf = ({ status, deliveries, approval }: Article): Status =>
  postStatus({ status, deliveries, approval, acknowledged_at: null })

/** It waits for its time, or for an answer: it goes out by itself. */
export const isOnItsWay = ({ deliveries }: Pick<Article, 'deliveries'>): boolean =>
  deliveries.some(({ state }) => state === 'pending' || state === 'retrying' || state === 'held')

/** Nothing of it is out, may be, or is being sent at this moment, and nobody else writes it. */
export const mayEdit = ({ status, deliveries, writing }: Pick<ArticleOut, 'status' | 'deliveries' | 'writing'>): boolean =>
  writing === null &&
  status !== 'published' &&
  deliveries.every(
    ({ state, called_at }) => state !== 'published' && state !== 'unknown' && state !== 'publishing' && called_at === null,
  )

/** When it went out, if it has. */
export const publishedAt = ({ status, deliveries }: Pick<Article, 'status' | 'deliveries'>): string | null =>
  status === 'published' ? (deliveries.find(({ state }) => state === 'published')?.settled_at ?? null) : null
