import { roundsQuery, topicTreeQuery } from '@/features/topics/api'
import { preload } from '@/lib/preloading'
import type { LoaderArgs } from '@/lib/router/router'

/** A large tree takes the longest of all: it is asked for before the editor is there. */
export function loadTopicTree({ url, queryClient }: LoaderArgs): null {
  const treeId = url.searchParams.get('tree')
  if (treeId) {
    preload(queryClient, topicTreeQuery(treeId))
    preload(queryClient, roundsQuery(treeId))
  }
  return null
}
