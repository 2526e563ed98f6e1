import type { TFunction } from 'i18next'
import { branchOf, indexOfTopic, type TopicChanges, type Topics } from './tree-edits'

type T = TFunction<['common', 'errors', 'topics']>

/** Return the sentence that announces a changed topic. */
export function changedSentence(t: T, title: string, changes: TopicChanges): string {
  if (changes.enabled !== undefined) return t(changes.enabled ? 'topics:said.enabled' : 'topics:said.disabled', { title })
  return t('topics:said.renamed', { title: changes.title ?? title })
}

/** Return the sentence that announces a removed branch. `topics`: those before the removal. */
export function removedSentence(t: T, topics: Topics, id: string): string {
  const branch = branchOf(topics, id)
  return t('topics:said.removed', { title: branch[0]?.title ?? '', count: branch.length - 1 })
}

/** Return the sentence that announces a moved topic, with its position among its siblings. */
export function movedSentence(t: T, topics: Topics, id: string): string {
  const topic = topics[indexOfTopic(topics, id)]
  const parentId = topic?.parent_id ?? ''
  const siblings = topics.filter((candidate) => candidate.parent_id === parentId)
  return t('topics:said.moved', {
    title: topic?.title ?? '',
    position: siblings.findIndex((candidate) => candidate.id === id) + 1,
    siblings: siblings.length,
    parent: topics[indexOfTopic(topics, parentId)]?.title ?? '',
  })
}
