import type { LoaderFunctionArgs } from 'react-router'
import { roundsQuery, topicTreeQuery } from '@/features/topics/api'
import { queryClientContext } from '@/lib/router-context'

/**
 * Start to fetch the tree that the query names: a large one takes longest. The loader does not wait: the page shows
 * itself that it loads, or what failed.
 */
export function loadTopicTree({ url, context }: Pick<LoaderFunctionArgs, 'url' | 'context'>): void {
  const treeId = url.searchParams.get('tree')
  if (!treeId) return
  const queryClient = context.get(queryClientContext)
  void queryClient.prefetchQuery({ ...topicTreeQuery(treeId), staleTime: Infinity })
  void queryClient.prefetchQuery({ ...roundsQuery(treeId), staleTime: Infinity })
}
