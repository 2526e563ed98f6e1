import type { ArticleOut, ArticleRowOut, DeliveryOut } from '@/api/types.gen'

/** Return whether the article is a draft: never sent, or taken back. */
export const isDraft = ({ deliveries }: Pick<ArticleRowOut, 'deliveries'>): boolean => deliveries.every(({ state }) => state === 'cancelled')

/** Return whether a change or deletion at the site is in progress. */
export const isBusy = ({ at_site, deliveries }: Pick<ArticleOut, 'at_site' | 'deliveries'>): boolean =>
  at_site?.revision?.state === 'waiting' || deliveries.some(({ removal }) => removal?.state === 'waiting')

/**
 * Return whether the article can be edited: nobody else is writing it, nothing is being sent or unclear, and it is not
 * published where the site can't be updated.
 */
export const mayEdit = (article: Pick<ArticleOut, 'status' | 'deliveries' | 'at_site' | 'writing'>): boolean =>
  article.writing === null &&
  (article.at_site
    ? !isBusy(article)
    : article.status !== 'published' &&
      article.deliveries.every(
        ({ state, called_at }) => state !== 'published' && state !== 'unknown' && state !== 'publishing' && called_at === null,
      ))

/** Return the delivery that was taken down, which makes the article a draft again. */
export const takenDown = ({ deliveries }: Pick<ArticleRowOut, 'deliveries'>): DeliveryOut | undefined =>
  deliveries.find(({ state, removal }) => state === 'cancelled' && removal?.state === 'removed')

/** Return when the article was published, if it was. */
export const publishedAt = ({ status, deliveries }: Pick<ArticleRowOut, 'status' | 'deliveries'>): string | null =>
  status === 'published' ? (deliveries.find(({ state }) => state === 'published')?.settled_at ?? null) : null
