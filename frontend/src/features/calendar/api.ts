import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  movePostMutation,
  readCalendarFeedOptions,
  readCalendarFeedQueryKey,
  readCalendarOptions,
  removeCalendarFeedMutation,
  renewCalendarFeedMutation,
  showCalendarFeedMutation,
} from '@/api/@tanstack/react-query.gen'
import type { CalendarOut, ChannelKind, EntryStatus } from '@/api/types.gen'
import { usePostChange } from '@/lib/refetch-posts'

export interface CalendarFilter {
  from: string
  to: string
  status?: EntryStatus[]
  assistant_id?: string
  channel?: ChannelKind
}

export const useCalendar = (filter: CalendarFilter) =>
  useQuery({ ...readCalendarOptions({ query: filter }), placeholderData: keepPreviousData })

/** All fetched periods; the feed's address has the same tag. */
const PERIODS = { queryKey: [{ _id: 'readCalendar' }] }

/** Return the mutation that moves a post. It shows the new time at once, and the old one if the server refuses. */
export function useMovePost() {
  const queryClient = useQueryClient()
  const change = usePostChange()
  const planPost = (postId: string, changes: { planned_at: string; version?: number }) =>
    queryClient.setQueriesData<CalendarOut>(PERIODS, (shown) =>
      shown && { ...shown, posts: shown.posts.map((post) => (post.id === postId ? { ...post, ...changes } : post)) },
    )
  const mutation = useMutation({
    ...movePostMutation(),
    ...change,
    onSuccess: (changed) => {
      change.onSuccess(changed)
      const { post } = changed
      planPost(post.id, { planned_at: post.planned_at ?? '', version: post.version })
    },
  })
  return async (postId: string, version: number, before: string, to: Date) => {
    // a response on its way would show the old time for a moment
    await queryClient.cancelQueries(PERIODS)
    planPost(postId, { planned_at: to.toISOString() })
    try {
      return await mutation.mutateAsync({ path: { post_id: postId }, body: { version, planned_at: to.toISOString() } })
    } catch (error) {
      planPost(postId, { planned_at: before })
      throw error
    }
  }
}

/** Return when the secret address for other programs was created. */
export const useFeed = () => useQuery(readCalendarFeedOptions())

/**
 * Return the mutation that creates the feed's address. The address is not cached: only the user who entered the
 * password sees it.
 */
export function useRenewFeed() {
  const queryClient = useQueryClient()
  return useMutation({
    ...renewCalendarFeedMutation(),
    gcTime: 0,
    onSuccess: ({ created_at }) => queryClient.setQueryData(readCalendarFeedQueryKey(), { created_at }),
  })
}

export const useShowFeed = () => useMutation({ ...showCalendarFeedMutation(), gcTime: 0 })

export function useRemoveFeed() {
  const queryClient = useQueryClient()
  return useMutation({
    ...removeCalendarFeedMutation(),
    onSuccess: () => queryClient.setQueryData(readCalendarFeedQueryKey(), { created_at: null }),
  })
}
