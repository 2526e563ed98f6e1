import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addTopicFeedMutation,
  deleteTopicFeedMutation,
  listTopicFeedsOptions,
  readTopicFeedNowMutation,
  updateTopicFeedMutation,
} from '@/api/@tanstack/react-query.gen'
import type { TopicFeedOut } from '@/api/types.gen'

export const feedsQuery = (treeId: string) => queryOptions(listTopicFeedsOptions({ path: { tree_id: treeId } }))

/** Return a function that changes the shown feeds of a tree at once. */
function useShowFeeds(treeId: string) {
  const queryClient = useQueryClient()
  return (change: (feeds: TopicFeedOut[]) => TopicFeedOut[]) => {
    const { queryKey } = feedsQuery(treeId)
    // a response on its way is older than this change
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (feeds) => change(feeds ?? []))
  }
}

/** Return the mutations of a tree's feeds. Each shows the feed that the server answers. */
export function useFeedMutations(treeId: string) {
  const show = useShowFeeds(treeId)
  const replace = (feed: TopicFeedOut) => show((feeds) => feeds.map((shown) => (shown.id === feed.id ? feed : shown)))
  return {
    add: useMutation({ ...addTopicFeedMutation(), onSuccess: (feed) => show((feeds) => [...feeds, feed]) }),
    update: useMutation({ ...updateTopicFeedMutation(), onSuccess: replace }),
    check: useMutation({ ...readTopicFeedNowMutation(), onSuccess: replace }),
    remove: useMutation({
      ...deleteTopicFeedMutation(),
      onSuccess: (_, { path }) => show((feeds) => feeds.filter(({ id }) => id !== path.feed_id)),
    }),
  }
}
