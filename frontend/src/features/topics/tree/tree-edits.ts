import type { TopicOut } from '@/api/types.gen'

/** A whole tree in reading order: each topic, then all that is under it. Nothing here recurses or changes a list. */
export type Topics = readonly TopicOut[]

/** Where a topic stands: under which one, and behind which of its children; null: as the first. */
export interface Place {
  parentId: string
  afterId: string | null
}

export type TopicChanges = Partial<Pick<TopicOut, 'title' | 'notes' | 'enabled' | 'weight' | 'link'>>

/**
 * What a person does to the topics of a tree. The id of what is made here is provisional until the server has named it.
 * `over`: what notes were typed over; the server refuses them where it has others by now.
 */
export type Edit =
  | { kind: 'add'; id: string; place: Place; title: string }
  | { kind: 'accept'; id: string; place: Place; title: string; suggestionId: string; index: number }
  | { kind: 'change'; id: string; changes: TopicChanges; over?: string }
  | { kind: 'move'; id: string; place: Place }
  | { kind: 'remove'; id: string }
  | { kind: 'restore'; id: string; place: Place; branch: Topics; deletion: Promise<{ deletion_id: string }> }

export const indexOfTopic = (topics: Topics, id: string) => topics.findIndex((topic) => topic.id === id)

/** One past the last topic under the one at `at`. */
export function branchEnd(topics: Topics, at: number): number {
  const depth = topics[at]?.depth ?? 0
  let end = at + 1
  for (let below = topics[end]; below && below.depth > depth; below = topics[end]) end++
  return end
}

/** The topic with all under it; empty where it isn't there. */
export function branchOf(topics: Topics, id: string): Topics {
  const at = indexOfTopic(topics, id)
  return at < 0 ? [] : topics.slice(at, branchEnd(topics, at))
}

/** The sibling before the topic at `at`, as an index; −1 where it is the first. */
function siblingBefore(topics: Topics, at: number): number {
  const depth = topics[at]?.depth ?? 0
  for (let before = at - 1; before >= 0; before--) {
    const previousDepth = topics[before]?.depth ?? 0
    if (previousDepth === depth) return before
    if (previousDepth < depth) return -1
  }
  return -1
}

/** The id of the last child of the topic at `at`. */
function lastChild(topics: Topics, at: number): string | null {
  const depth = (topics[at]?.depth ?? 0) + 1
  for (let below = branchEnd(topics, at) - 1; below > at; below--)
    if (topics[below]?.depth === depth) return topics[below]?.id ?? null
  return null
}

/** Where the topic stands now; undefined for the root, and for what isn't there. */
export function placeOf(topics: Topics, id: string): Place | undefined {
  const at = indexOfTopic(topics, id)
  const parentId = topics[at]?.parent_id
  if (!parentId) return undefined
  return { parentId, afterId: topics[siblingBefore(topics, at)]?.id ?? null }
}

/** The place, or behind all others where the topic before it is not there any more; undefined without the parent. */
export const placeStill = (topics: Topics, place: Place): Place | undefined =>
  startOf(topics, place) < 0 ? placeInside(topics, place.parentId) : place

/** As the last child. */
export function placeInside(topics: Topics, parentId: string): Place | undefined {
  const at = indexOfTopic(topics, parentId)
  return at < 0 ? undefined : { parentId, afterId: lastChild(topics, at) }
}

/** Right behind a topic; inside it where it is the root. */
export function placeAfter(topics: Topics, id: string): Place | undefined {
  const topic = topics[indexOfTopic(topics, id)]
  if (!topic) return undefined
  return topic.parent_id === null ? placeInside(topics, id) : { parentId: topic.parent_id, afterId: id }
}

/** Right before a topic. The root has nothing before it. */
export const placeBefore = placeOf

export type Direction = 'up' | 'down' | 'in' | 'out'

/** One step among the siblings, into the sibling before, or out behind the parent; undefined where there is no way. */
export function placeTowards(topics: Topics, id: string, direction: Direction): Place | undefined {
  const at = indexOfTopic(topics, id)
  const parentId = topics[at]?.parent_id
  if (!parentId) return undefined
  const before = siblingBefore(topics, at)
  switch (direction) {
    case 'up':
      return before < 0 ? undefined : placeOf(topics, topics[before]?.id ?? '')
    case 'down': {
      const next = topics[branchEnd(topics, at)]
      return next?.parent_id === parentId ? { parentId, afterId: next.id } : undefined
    }
    case 'in':
      return before < 0 ? undefined : placeInside(topics, topics[before]?.id ?? '')
    case 'out': {
      const above = topics[indexOfTopic(topics, parentId)]?.parent_id
      return above ? { parentId: above, afterId: parentId } : undefined
    }
  }
}

/** The tree with the edit in it; the same list where it changes nothing, such as under a topic that is gone. */
export function applyEdit(topics: Topics, edit: Edit): Topics {
  switch (edit.kind) {
    case 'add':
    case 'accept':
      return indexOfTopic(topics, edit.id) < 0
        ? insertBranch(topics, [newTopic(edit.id, edit.title)], edit.place)
        : topics
    case 'change':
      return changeTopic(topics, edit.id, edit.changes)
    case 'move':
      return moveBranch(topics, edit.id, edit.place)
    case 'remove':
      return removeBranch(topics, edit.id)
    case 'restore': {
      if (indexOfTopic(topics, edit.id) >= 0) return topics
      const back = insertBranch(topics, edit.branch, edit.place)
      // the sibling before it may be gone meanwhile
      return back === topics ? insertBranch(topics, edit.branch, { ...edit.place, afterId: null }) : back
    }
  }
}

/**
 * What takes an edit back that is made on these topics. `deletion`: what the server says to it if it is a removal.
 * Undefined where it changes nothing.
 */
export function inverseOf(
  topics: Topics,
  edit: Edit,
  deletion: Promise<{ deletion_id: string }>,
): Edit | undefined {
  if (applyEdit(topics, edit) === topics) return undefined
  const { id } = edit
  const place = placeOf(topics, id)
  switch (edit.kind) {
    case 'add':
    case 'accept':
    case 'restore':
      return { kind: 'remove', id }
    case 'change': {
      const topic = topics[indexOfTopic(topics, id)]
      const names = Object.keys(edit.changes) as (keyof TopicChanges)[]
      const changes: TopicChanges = Object.fromEntries(names.map((name) => [name, topic?.[name]]))
      return { kind: 'change', id, changes, over: edit.changes.notes }
    }
    case 'move':
      return place && { kind: 'move', id, place }
    case 'remove':
      return place && { kind: 'restore', id, place, branch: branchOf(topics, id), deletion }
  }
}

/** The tree as an export has it: how many hyphens begin a line says how deep its topic stands. */
export const linesOf = (topics: Topics): string =>
  topics.map(({ depth, title }) => `${'-'.repeat(depth + 1)} ${title}\n`).join('')

/** The same edit with the ids that the server has given meanwhile. */
export function renamed(edit: Edit, idOf: (id: string) => string): Edit {
  const id = idOf(edit.id)
  if (!('place' in edit)) return { ...edit, id }
  const { parentId, afterId } = edit.place
  const place = { parentId: idOf(parentId), afterId: afterId && idOf(afterId) }
  if (edit.kind !== 'restore') return { ...edit, id, place }
  const branch = edit.branch.map((topic) => ({
    ...topic,
    id: idOf(topic.id),
    parent_id: topic.parent_id && idOf(topic.parent_id),
  }))
  return { ...edit, id, place, branch }
}

/** The tree with another id for one topic. */
export const renameId = (topics: Topics, from: string, to: string): Topics =>
  topics.map((topic) => {
    if (topic.id === from) return { ...topic, id: to }
    return topic.parent_id === from ? { ...topic, parent_id: to } : topic
  })

function newTopic(id: string, title: string): TopicOut {
  return {
    id,
    parent_id: null,
    depth: 0,
    title,
    notes: '',
    enabled: true,
    weight: 1,
    times_used: 0,
    last_used_at: null,
    link: '',
  }
}

/** Where a branch at this place begins; −1 where there is no such place. */
function startOf(topics: Topics, { parentId, afterId }: Place): number {
  const parent = indexOfTopic(topics, parentId)
  if (parent < 0 || afterId === null) return parent < 0 ? -1 : parent + 1
  const after = indexOfTopic(topics, afterId)
  return topics[after]?.parent_id === parentId ? branchEnd(topics, after) : -1
}

function insertBranch(topics: Topics, branch: Topics, place: Place): Topics {
  const start = startOf(topics, place)
  const [first] = branch
  const parent = topics[indexOfTopic(topics, place.parentId)]
  if (start < 0 || !first || !parent) return topics
  const deeper = parent.depth + 1 - first.depth
  const moved = branch.map((topic, index) => ({
    ...topic,
    depth: topic.depth + deeper,
    parent_id: index === 0 ? place.parentId : topic.parent_id,
  }))
  return [...topics.slice(0, start), ...moved, ...topics.slice(start)]
}

function changeTopic(topics: Topics, id: string, changes: TopicChanges): Topics {
  const at = indexOfTopic(topics, id)
  const topic = topics[at]
  if (!topic) return topics
  const isUnchanged = Object.entries(changes).every(([name, value]) => topic[name as keyof TopicChanges] === value)
  return isUnchanged ? topics : topics.with(at, { ...topic, ...changes })
}

function removeBranch(topics: Topics, id: string): Topics {
  const at = indexOfTopic(topics, id)
  if (at < 0 || topics[at]?.parent_id === null) return topics
  return [...topics.slice(0, at), ...topics.slice(branchEnd(topics, at))]
}

function moveBranch(topics: Topics, id: string, place: Place): Topics {
  const at = indexOfTopic(topics, id)
  const currentPlace = placeOf(topics, id)
  if (!currentPlace || (currentPlace.parentId === place.parentId && currentPlace.afterId === place.afterId)) return topics
  const end = branchEnd(topics, at)
  const target = indexOfTopic(topics, place.parentId)
  // below itself, or behind itself
  if ((target >= at && target < end) || place.afterId === id) return topics
  const without = removeBranch(topics, id)
  const moved = insertBranch(without, topics.slice(at, end), place)
  return moved === without ? topics : moved
}
