import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { showUndo } from '@/components/undo'
import { isProblem, problemText, toProblem } from '@/lib/problems'
import { showLost } from './lost-text'
import type { TreeEditor, Turn } from './tree-editor'
import {
  branchEnd,
  branchOf,
  indexOfTopic,
  placeOf,
  placeStill,
  placeTowards,
  type Direction,
  type Edit,
  type Place,
  type TopicChanges,
  type Topics,
} from './tree-edits'

/** What was done: the topic to go to by its key, and the sentence that tells it to those who listen. */
export interface Done {
  key: string
  said: string
}

/** What a person can do to a topic. Each shows at once, and most return the sentence that tells it. */
export interface TreeActions {
  /** Undefined where the place is gone. */
  add: (place: Place, title: string) => Done | undefined
  change: (id: string, changes: TopicChanges) => string
  /** For a field that tells by itself what is refused. `over`: what notes were typed over. */
  save: (id: string, changes: TopicChanges, over?: string) => Promise<unknown>
  step: (id: string, direction: Direction) => string
  /** By the mouse or a dialog, so that a slip can be taken back. */
  moveTo: (id: string, place: Place) => string
  remove: (id: string) => Done | undefined
  /** Takes back what was done last, and what was done before. */
  undo: () => Done | undefined
  redo: () => Done | undefined
}

/** `onUndone` hears what was taken back by the offer that follows a deed. */
export function useTreeActions(editor: TreeEditor, onUndone: (done: Done | undefined) => void): TreeActions {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  return useMemo(() => {
    const offers = new Map<Edit, () => void>()

    const topicOf = (id: string) => editor.topics[indexOfTopic(editor.topics, editor.idOf(id))]
    const titleOf = (id: string) => topicOf(id)?.title ?? ''

    /** It went in another tab. */
    const sayGone = (text: string) =>
      showLost({ title: t('topics:goneTitle'), message: t('topics:goneText'), text, copy: t('copy') })

    const withdraw = (edit: Edit) => {
      offers.get(edit)?.()
      offers.delete(edit)
    }
    const sayRefused = (done: Promise<unknown>, edit: Edit, title: string) => {
      done.catch((error: unknown) => {
        withdraw(edit)
        const problem = isProblem(error) ? error : toProblem(error)
        const typed = edit.kind === 'change' || edit.kind === 'add' ? typedIn(edit) : undefined
        if (problem.status === 404 && typed) return sayGone(typed)
        notifications.show({
          color: 'red',
          title: t('topics:editRefused', { title }),
          message: problemText(t, problem),
          autoClose: 12_000,
        })
      })
    }
    const run = (edit: Edit, title: string) => sayRefused(editor.run(edit), edit, title)
    const stands = (id: string) => {
      const { title, position, siblings, parent } = standing(editor.topics, editor.idOf(id))
      return t('topics:said.moved', { title, position, siblings, parent })
    }
    const changed = (title: string, changes: TopicChanges) => {
      if (changes.enabled !== undefined)
        return t(changes.enabled ? 'topics:said.enabled' : 'topics:said.disabled', { title })
      return t('topics:said.renamed', { title: changes.title ?? title })
    }
    const removed = (topics: Topics, id: string) => {
      const branch = branchOf(topics, id)
      return t('topics:said.removed', { title: branch[0]?.title ?? '', count: branch.length - 1 })
    }
    const tell = (turn: Turn | undefined): Done | undefined => {
      if (!turn) return undefined
      const { made, back, before } = turn
      withdraw(made)
      const id = editor.idOf(back.id)
      sayRefused(turn.done, back, titleOf(id) || (before[indexOfTopic(before, id)]?.title ?? ''))
      const key = editor.keyOf(id)
      switch (back.kind) {
        case 'remove': {
          const { parentId, afterId } = 'place' in made ? made.place : { parentId: '', afterId: null }
          const near = afterId !== null && topicOf(afterId) ? afterId : parentId
          return { key: editor.keyOf(editor.idOf(near)), said: removed(before, id) }
        }
        case 'change':
          return { key, said: changed(titleOf(id), back.changes) }
        case 'move':
          return { key, said: stands(id) }
        default:
          return { key, said: t('topics:said.restored', { title: titleOf(id) }) }
      }
    }
    const offerUndo = (edit: Edit, message: string) => {
      const undo = () => onUndone(tell(editor.undo(edit)))
      offers.set(edit, showUndo({ message, label: t('undo'), undo }))
    }

    return {
      add: (wanted, title) => {
        const afterId = wanted.afterId && editor.idOf(wanted.afterId)
        const place = placeStill(editor.topics, { parentId: editor.idOf(wanted.parentId), afterId })
        if (!place) {
          sayGone(title)
          return undefined
        }
        const id = editor.newId()
        run({ kind: 'add', id, place, title }, title)
        return { key: id, said: t('topics:said.added', { title }) }
      },
      change: (id, changes) => {
        const before = topicOf(id)
        if (before) run({ kind: 'change', id, changes }, before.title)
        else if (changes.title) sayGone(changes.title)
        return before ? changed(before.title, changes) : t('topics:goneTitle')
      },
      save: (id, changes, over) => {
        const edit = { kind: 'change' as const, id, changes, over }
        const typed = typedIn(edit)
        if (!topicOf(id)) {
          if (typed) sayGone(typed)
          return Promise.resolve()
        }
        const done = editor.run(edit)
        done.catch((error: unknown) => {
          if (typed && isProblem(error) && error.status === 404) sayGone(typed)
        })
        return done
      },
      step: (id, direction) => {
        const title = titleOf(id)
        const place = placeTowards(editor.topics, id, direction)
        if (!place) return t(`topics:said.stuck.${direction}`, { title })
        run({ kind: 'move', id, place }, title)
        return stands(id)
      },
      moveTo: (id, place) => {
        const title = titleOf(id)
        const edit = { kind: 'move' as const, id, place }
        run(edit, title)
        if (!editor.canUndo(edit)) return t('topics:said.staysThere', { title })
        const said = stands(id)
        offerUndo(edit, said)
        return said
      },
      remove: (id) => {
        const { topics } = editor
        const place = placeOf(topics, id)
        if (!place) return undefined
        const next = topics[branchEnd(topics, indexOfTopic(topics, id))]
        const nextId = next?.parent_id === place.parentId ? next.id : (place.afterId ?? place.parentId)
        const edit = { kind: 'remove' as const, id }
        run(edit, titleOf(id))
        const said = removed(topics, id)
        offerUndo(edit, said)
        return { key: editor.keyOf(nextId), said }
      },
      undo: () => tell(editor.undo()),
      redo: () => tell(editor.redo()),
    }
  }, [editor, onUndone, t])
}

/** The words in an edit. */
const typedIn = (edit: Extract<Edit, { kind: 'add' | 'change' }>) =>
  edit.kind === 'add' ? edit.title : (edit.changes.title ?? edit.changes.notes)

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
