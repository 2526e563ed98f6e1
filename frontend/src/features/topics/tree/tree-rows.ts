import type { TopicOut } from '@/api/types.gen'
import type { Topics } from './tree-edits'

/** Facts about a topic's place in its tree, by the topic's index. Computed in two passes without recursion. */
export interface TreeShape {
  topics: Topics
  indexOf: ReadonlyMap<string, number>
  /** Index of the parent; −1 for the root. */
  parent: Int32Array
  /** Index after its last subtopic. */
  end: Int32Array
  /** Position among its siblings, from 1, and their number. */
  position: Int32Array
  siblings: Int32Array
  /** Times used, with all subtopics. */
  usedWithin: Float64Array
  /** 1 if the topic or one above is disabled, so that no assistant picks it. */
  disabled: Uint8Array
}

export function treeShape(topics: Topics): TreeShape {
  const count = topics.length
  const shape: TreeShape = {
    topics,
    indexOf: new Map(topics.map((topic, at) => [topic.id, at])),
    parent: new Int32Array(count).fill(-1),
    end: new Int32Array(count),
    position: new Int32Array(count),
    siblings: new Int32Array(count),
    usedWithin: new Float64Array(count),
    disabled: new Uint8Array(count),
  }
  const { parent, end, position, siblings, usedWithin, disabled } = shape
  const children = new Int32Array(count)
  const open: number[] = [] // by depth: the parent of a deeper topic
  topics.forEach((topic, at) => {
    const above = topic.depth > 0 ? (open[topic.depth - 1] ?? -1) : -1
    open[topic.depth] = at
    parent[at] = above
    position[at] = above < 0 ? 1 : children[above]! + 1
    if (above >= 0) children[above] = position[at]
    disabled[at] = !topic.enabled || (above >= 0 && disabled[above]) ? 1 : 0
    end[at] = at + 1
    usedWithin[at] = topic.times_used
  })
  for (let at = count - 1; at >= 0; at--) {
    const above = parent[at]!
    siblings[at] = above < 0 ? 1 : children[above]!
    if (above < 0) continue
    end[above] = Math.max(end[above]!, end[at]!)
    usedWithin[above]! += usedWithin[at]!
  }
  return shape
}

/** Return the index of the topic with this key, else −1. A provisional key may belong to a topic that has the server's id by now. */
export const indexOfKey = (shape: TreeShape, idOf: (key: string) => string, key: string): number =>
  shape.indexOf.get(key) ?? shape.indexOf.get(idOf(key)) ?? -1

/** Return the indices of the topic and its siblings. */
export function siblingsOf(shape: TreeShape, at: number): number[] {
  const above = shape.parent[at] ?? -1
  const end = above < 0 ? shape.topics.length : (shape.end[above] ?? 0)
  const siblings: number[] = []
  for (let child = above + 1; child < end; child = shape.end[child] ?? end) siblings.push(child)
  return siblings
}

export const hasChildren = (shape: TreeShape, at: number) => (shape.end[at] ?? 0) > at + 1

/** Return the number of topics that an assistant can pick. */
export const enabledCount = (shape: TreeShape) => shape.disabled.reduce((sum, disabled) => sum - disabled, shape.disabled.length)

/** Return the indices of the topics that no closed topic hides. A closed branch costs one step, however large it is. */
export function visibleRows(shape: TreeShape, isClosed: (id: string) => boolean): number[] {
  const rows: number[] = []
  const { topics, end } = shape
  for (let at = 0; at < topics.length; at = isClosed(topics[at]!.id) ? end[at]! : at + 1) rows.push(at)
  return rows
}

export interface SearchRows {
  /** Indices of the matches and all topics above them, in reading order. */
  rows: number[]
  matches: number
}

/** Return the rows that match a search, ignoring case. */
export function searchRows(shape: TreeShape, search: string): SearchRows {
  const titles = lowerTitles(shape.topics)
  const lowered = search.toLocaleLowerCase()
  const shown = new Uint8Array(titles.length)
  let matches = 0
  titles.forEach((title, start) => {
    if (!title.includes(lowered)) return
    matches++
    // stop at a topic that an earlier match has marked: each topic is marked once
    for (let at = start; at >= 0 && !shown[at]; at = shape.parent[at]!) shown[at] = 1
  })
  const rows: number[] = []
  shown.forEach((isShown, at) => isShown && rows.push(at))
  return { rows, matches }
}

const titleCache = new WeakMap<Topics, string[]>()

/** Return the titles in lower case, which are computed once for a list of topics. */
export function lowerTitles(topics: Topics): readonly string[] {
  const titles = titleCache.get(topics) ?? topics.map(({ title }) => title.toLocaleLowerCase())
  titleCache.set(topics, titles)
  return titles
}

/** Return the row of a topic among rows in reading order; −1 if it is hidden. */
export function rowOf(rows: readonly number[], at: number): number {
  const row = firstRowFrom(rows, at)
  return rows[row] === at ? row : -1
}

/** Return the first row that shows this topic or a later one. */
export function firstRowFrom(rows: readonly number[], at: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]! < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Return the row of the topic, or of the nearest topic above that has one. */
export function shownRow(shape: TreeShape, rows: readonly number[], index: number): number {
  for (let at = index; at >= 0; at = shape.parent[at]!) {
    const row = rowOf(rows, at)
    if (row >= 0) return row
  }
  return 0
}

/** Return the topics from the root down to the topic itself. */
export function pathTo(shape: TreeShape, index: number): TopicOut[] {
  const path: TopicOut[] = []
  for (let at = index; at >= 0; at = shape.parent[at]!) path.push(shape.topics[at]!)
  return path.reverse()
}

const LONGEST = 8 // titles of a path before its middle is left out

/** Return a path as text, such as `Commuting / Weather / Rain`, without the middle of a long one. */
export function pathText(path: readonly TopicOut[]): string {
  const titles = path.map(({ title }) => title)
  return (titles.length > LONGEST ? [...titles.slice(0, 3), '…', ...titles.slice(-4)] : titles).join(' / ')
}

/** Return the next row from `from` on, then from the start, whose title begins with the typed text; −1 without one. */
export function typedRow(rows: readonly number[], titles: readonly string[], from: number, typed: string): number {
  const start = typed.toLocaleLowerCase()
  for (let step = 0; step < rows.length; step++) {
    const row = (from + step) % rows.length
    if (titles[rows[row]!]!.startsWith(start)) return row
  }
  return -1
}
