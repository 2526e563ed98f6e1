import type { TopicOut } from '@/api/types.gen'

/** A topic with what the tree shows of its surroundings. */
export interface TreeNode {
  topic: TopicOut
  hasChildren: boolean
  /** Place among its siblings, from 1, and their number. */
  position: number
  siblings: number
  /** Times used, with all subtopics. */
  usedWithin: number
}

/** One pass each way over the topics in reading order: nothing recurses, a tree may be 10,000 deep. */
export function treeNodes(topics: readonly TopicOut[]): TreeNode[] {
  const nodes = topics.map((topic): TreeNode => ({
    topic,
    hasChildren: false,
    position: 1,
    siblings: 1,
    usedWithin: topic.times_used,
  }))
  const byId = new Map(nodes.map((node) => [node.topic.id, node]))
  const children = new Map<string | null, TreeNode[]>()
  for (const node of nodes) {
    const among = children.get(node.topic.parent_id) ?? []
    among.push(node)
    children.set(node.topic.parent_id, among)
    node.position = among.length
  }
  for (const [parentId, among] of children) {
    for (const node of among) node.siblings = among.length
    const parent = parentId === null ? undefined : byId.get(parentId)
    if (parent) parent.hasChildren = true
  }
  for (const node of nodes.toReversed()) {
    const parent = node.topic.parent_id === null ? undefined : byId.get(node.topic.parent_id)
    if (parent) parent.usedWithin += node.usedWithin
  }
  return nodes
}

/** Those that no closed topic hides. */
export function visibleNodes(nodes: readonly TreeNode[], closed: ReadonlySet<string>): TreeNode[] {
  const visible: TreeNode[] = []
  let hiddenBelow = Infinity
  for (const node of nodes) {
    if (node.topic.depth > hiddenBelow) continue
    visible.push(node)
    hiddenBelow = closed.has(node.topic.id) ? node.topic.depth : Infinity
  }
  return visible
}

/** Titles from the root down to the topic itself. */
export function pathOf(topics: readonly TopicOut[], id: string): string[] {
  const byId = new Map(topics.map((topic) => [topic.id, topic]))
  const titles: string[] = []
  for (let topic = byId.get(id); topic; topic = topic.parent_id === null ? undefined : byId.get(topic.parent_id))
    titles.push(topic.title)
  return titles.reverse()
}

/** The format of the import: one topic a line, as many hyphens as it is deep. */
export const asText = (topics: readonly TopicOut[]) =>
  topics.map(({ depth, title }) => `${'-'.repeat(depth + 1)} ${title}\n`).join('')
