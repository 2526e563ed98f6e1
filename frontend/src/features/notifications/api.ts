import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  chooseNotificationSettingMutation,
  listNotificationSettingsOptions,
  listNotificationsInfiniteOptions,
  listNotificationsInfiniteQueryKey,
  markNotificationReadMutation,
  markNotificationsReadMutation,
} from '@/api/@tanstack/react-query.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import { withTags } from '@/lib/query-tags'

const TAG = 'notifications'

/** Return the notifications, refetched whenever the list is opened. */
export const useNotifications = () =>
  useInfiniteQuery({
    ...listNotificationsInfiniteOptions(),
    ...byCursor,
    queryKey: tagQueryKey(listNotificationsInfiniteQueryKey(), TAG),
    refetchOnMount: 'always',
  })

/** Return a function that refetches list and number; other tabs learn of it from the server. */
function useRefetch() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(TAG))
}

export const useMarkRead = () => useMutation({ ...markNotificationReadMutation(), onSettled: useRefetch() })

export const useMarkAllRead = () => useMutation({ ...markNotificationsReadMutation(), onSettled: useRefetch() })

export const settingsQuery = listNotificationSettingsOptions()

/** Return the mutation that saves a choice. It shows the choice at once, and reverts it if the server refuses. */
export function useChoose() {
  const queryClient = useQueryClient()
  const { queryKey } = settingsQuery
  return useMutation({
    ...chooseNotificationSettingMutation(),
    // in order, so that the last one counts
    scope: { id: 'notification-settings' },
    onMutate: async ({ path, body }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (settings) =>
        settings?.map((setting) => (setting.topic === path.topic ? { ...setting, mail: body.mail } : setting)),
      )
      return before
    },
    onError: (_, __, before) => queryClient.setQueryData(queryKey, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}
