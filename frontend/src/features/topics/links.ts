import { paths } from '@/lib/paths'

/** The path to a new empty tree. */
export const newTopicTreePath = `${paths.topics}?new`

export const topicTreePath = (treeId: string) => `${paths.topics}?tree=${treeId}`
