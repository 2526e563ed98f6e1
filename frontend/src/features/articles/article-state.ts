import type { ArticleOut, ArticleRowOut, DeliveryOut } from '@/api/types.gen'

/** Nothing of it was ever sent, or it was taken back: a person is still writing it. */
export const isDraft = ({ deliveries }: Pick<ArticleRowOut, 'deliveries'>): boolean => deliveries.every(({ state }) => state === 'cancelled')

/** Its site is asked to change or to delete it, and has not answered. */
export const isBusy = ({ at_site, deliveries }: Pick<ArticleOut, 'at_site' | 'deliveries'>): boolean =>
  at_site?.revision?.state === 'waiting' || deliveries.some(({ removal }) => removal?.state === 'waiting')

/** Nobody else writes it, and nothing of it is being sent at this moment, may be out without anybody knowing, or is out where no site can be told of changes. */
export const mayEdit = (article: Pick<ArticleOut, 'status' | 'deliveries' | 'at_site' | 'writing'>): boolean =>
  article.writing === null &&
  (article.at_site
    ? !isBusy(article)
    : article.status !== 'published' &&
      article.deliveries.every(
        ({ state, called_at }) => state !== 'published' && state !== 'unknown' && state !== 'publishing' && called_at === null,
      ))

/** What went out and is there no more: it is a draft again. */
export const takenDown = ({ deliveries }: Pick<ArticleRowOut, 'deliveries'>): DeliveryOut | undefined =>
  deliveries.find(({ state, removal }) => state === 'cancelled' && removal?.state === 'removed')

/** When it went out, if it has. */
export const publishedAt = ({ status, deliveries }: Pick<ArticleRowOut, 'status' | 'deliveries'>): string | null =>
  status === 'published' ? (deliveries.find(({ state }) => state === 'published')?.settled_at ?? null) : null
