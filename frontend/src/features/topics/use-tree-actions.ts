import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { showUndo } from '@/components/undo'
import { isProblem, problemText, toProblem } from '@/lib/problems'
import type { TreeEditor } from './tree-editor'
import {
  branchEnd,
  branchOf,
  indexOfTopic,
  placeOf,
  placeTowards,
  type Direction,
  type Edit,
  type Place,
  type TopicChanges,
  type Topics,
} from './tree-edits'

/** What a person can do to a topic. Each shows at once, and returns the sentence that tells it to those who listen. */
export interface TreeActions {
  /** Returns the key of the new topic too. */
  add: (place: Place, title: string) => { key: string; said: string }
  change: (id: string, changes: TopicChanges) => string
  step: (id: string, direction: Direction) => string
  /** By the mouse or a dialog, so that a slip can be taken back. */
  moveTo: (id: string, place: Place) => string
  /** Returns the key of the topic that is next to be chosen too. */
  remove: (id: string) => { key: string; said: string } | undefined
  /** Takes back the latest removal. */
  undo: () => string | undefined
}

export function useTreeActions(editor: TreeEditor): TreeActions {
  const { t } = useTranslation()
  return useMemo(() => {
    const removals: Extract<Edit, { kind: 'restore' }>[] = []

    const titleOf = (id: string) => editor.topics[indexOfTopic(editor.topics, id)]?.title ?? ''

    const run = (edit: Edit, title: string) => {
      const done = editor.run(edit)
      done.catch((error: unknown) => {
        const problem = isProblem(error) ? error : toProblem(error)
        notifications.show({
          color: 'red',
          title: t('topics.editRefused', { title }),
          message: problemText(t, problem),
          autoClose: 12_000,
        })
      })
      return done
    }
    const stands = (id: string) => {
      const { title, position, siblings, parent } = standing(editor.topics, id)
      return t('topics.said.moved', { title, position, siblings, parent })
    }
    const restore = (edit: Extract<Edit, { kind: 'restore' }>) => {
      removals.splice(removals.indexOf(edit), 1)
      const title = edit.branch[0]?.title ?? ''
      void run(edit, title)
      return t('topics.said.restored', { title })
    }

    return {
      add: (place, title) => {
        const id = editor.newId()
        void run({ kind: 'add', id, place, title }, title)
        return { key: id, said: t('topics.said.added', { title }) }
      },
      change: (id, changes) => {
        const before = titleOf(id)
        void run({ kind: 'change', id, changes }, before)
        if (changes.enabled !== undefined)
          return t(changes.enabled ? 'topics.said.enabled' : 'topics.said.disabled', { title: before })
        return t('topics.said.renamed', { title: changes.title ?? before })
      },
      step: (id, direction) => {
        const title = titleOf(id)
        const place = placeTowards(editor.topics, id, direction)
        if (!place) return t(`topics.said.stuck.${direction}`, { title })
        void run({ kind: 'move', id, place }, title)
        return stands(id)
      },
      moveTo: (id, place) => {
        const title = titleOf(id)
        const before = editor.topics
        const back = placeOf(before, id)
        void run({ kind: 'move', id, place }, title)
        if (editor.topics === before || !back) return t('topics.said.staysThere', { title })
        const said = stands(id)
        showUndo({
          message: said,
          label: t('common.undo'),
          undo: () => void run({ kind: 'move', id, place: back }, title),
        })
        return said
      },
      remove: (id) => {
        const { topics } = editor
        const place = placeOf(topics, id)
        if (!place) return undefined
        const at = indexOfTopic(topics, id)
        const branch = branchOf(topics, id)
        const title = titleOf(id)
        const next = topics[branchEnd(topics, at)]
        const nextId = next?.parent_id === place.parentId ? next.id : (place.afterId ?? place.parentId)
        const done = run({ kind: 'remove', id }, title)
        const deletion = done.then(({ deletion_id = '' }) => ({ deletion_id }))
        // a removal that was refused has brought everything back by itself
        deletion.catch(() => undefined)
        const edit = { kind: 'restore' as const, id, place, branch, deletion }
        removals.push(edit)
        const said = t('topics.said.removed', { title, count: branch.length - 1 })
        showUndo({
          message: said,
          label: t('common.undo'),
          undo: () => {
            if (removals.includes(edit)) restore(edit)
          },
        })
        return { key: editor.keyOf(nextId), said }
      },
      undo: () => {
        const latest = removals.at(-1)
        return latest && restore(latest)
      },
    }
  }, [editor, t])
}

/** Where a topic stands, for a sentence. */
function standing(topics: Topics, id: string) {
  const at = indexOfTopic(topics, id)
  const topic = topics[at]
  const parentId = topic?.parent_id ?? ''
  const siblings = topics.filter((other) => other.parent_id === parentId)
  return {
    title: topic?.title ?? '',
    position: siblings.findIndex((other) => other.id === id) + 1,
    siblings: siblings.length,
    parent: topics[indexOfTopic(topics, parentId)]?.title ?? '',
  }
}
