import { queryOptions, useMutation } from '@tanstack/react-query'
import {
  announceArticleMutation,
  listAnnouncementsOptions,
  listAnnouncementsQueryKey,
  takeAnnouncementTextMutation,
} from '@/api/@tanstack/react-query.gen'
import { askForPage } from '@/api/sdk.gen'
import type { PageOut } from '@/api/types.gen'
import { tagQueryKey } from '@/lib/cursor-pages'
import type { Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

/** Social posts that announce an article. */
export const announcementsQuery = (articleId: string) => {
  const path = { article_id: articleId }
  return { ...listAnnouncementsOptions({ path }), queryKey: tagQueryKey(listAnnouncementsQueryKey({ path }), 'posts') }
}

/** Whether readers can open the article at its address, checked on each opening. */
export const pageQuery = (articleId: string) =>
  queryOptions<PageOut, Problem>({
    queryKey: ['article-page', articleId],
    queryFn: async ({ signal }) => (await askForPage({ path: { article_id: articleId }, signal })).data,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

export const useAnnounce = () => useMutation({ ...announceArticleMutation(), onSettled: useRefetchPosts() })

export const useTakeText = () => useMutation({ ...takeAnnouncementTextMutation(), onSettled: useRefetchPosts() })
