import type { LoaderFunctionArgs } from 'react-router'
import { roundsQuery, topicTreeQuery } from '@/features/topics/api'
import { preload } from '@/lib/preloading'

/** A large tree takes the longest of all: it is asked for before the editor is there. */
export function loadTopicTree({ url, context }: LoaderFunctionArgs): null {
  const treeId = url.searchParams.get('tree')
  if (treeId) {
    preload(context, topicTreeQuery(treeId))
    preload(context, roundsQuery(treeId))
  }
  return null
}
