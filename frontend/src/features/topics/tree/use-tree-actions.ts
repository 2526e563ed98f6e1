import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { showUndo } from '@/components/undo'
import { toProblem } from '@/lib/problems'
import { showLost, showRefusal } from './lost-text'
import type { TreeEditor, Turn } from './tree-editor'
import {
  branchEnd,
  indexOfTopic,
  placeOf,
  placeStill,
  placeTowards,
  type Direction,
  type Edit,
  type Place,
  type TopicChanges,
} from './tree-edits'
import { changedSentence, movedSentence, removedSentence } from './tree-sentences'

/** A change that was made: the key of the topic to go to, and the sentence that announces the change to screen readers. */
export interface Change {
  key: string
  announcement: string
}

/** Changes of a tree. Each one shows at once, and most return the sentence that announces it. */
export interface TreeActions {
  /** Undefined if the place no longer exists. */
  add: (place: Place, title: string) => Change | undefined
  change: (id: string, changes: TopicChanges) => string
  /** For a field that shows a refusal itself. `over`: the notes that the new ones replace. */
  save: (id: string, changes: TopicChanges, over?: string) => Promise<unknown>
  step: (id: string, direction: Direction) => string
  /** Move with the mouse or a dialog, with an undo. */
  moveTo: (id: string, place: Place) => string
  remove: (id: string) => Change | undefined
  /** Undo the last change. */
  undo: () => Change | undefined
  redo: () => Change | undefined
}

/** Return the changes that a person can make to a tree. `onUndone` is called after an undo by a notification. */
export function useTreeActions(editor: TreeEditor, onUndone: (change: Change | undefined) => void): TreeActions {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  return useMemo(() => createTreeActions(editor, onUndone, t), [editor, onUndone, t])
}

type T = TFunction<['common', 'errors', 'topics']>

function createTreeActions(editor: TreeEditor, onUndone: (change: Change | undefined) => void, t: T): TreeActions {
  const { run, finishTurn, offerUndo, showTopicGone } = createEditCommands(editor, onUndone, t)
  const moved = (id: string) => movedSentence(t, editor.topics, editor.idOf(id))
  return {
    add: (chosenPlace, title) => {
      const afterId = chosenPlace.afterId && editor.idOf(chosenPlace.afterId)
      const place = placeStill(editor.topics, { parentId: editor.idOf(chosenPlace.parentId), afterId })
      if (!place) {
        showTopicGone(title)
        return undefined
      }
      const id = editor.newId()
      run({ kind: 'add', id, place, title }, title)
      return { key: id, announcement: t('topics:said.added', { title }) }
    },
    change: (id, changes) => {
      const before = topicOf(editor, id)
      if (before) run({ kind: 'change', id, changes }, before.title)
      else if (changes.title) showTopicGone(changes.title)
      return before ? changedSentence(t, before.title, changes) : t('topics:goneTitle')
    },
    save: (id, changes, over) => {
      const edit = { kind: 'change' as const, id, changes, over }
      const typed = typedText(edit)
      if (!topicOf(editor, id)) {
        if (typed) showTopicGone(typed)
        return Promise.resolve()
      }
      const done = editor.run(edit)
      done.catch((error: unknown) => {
        if (typed && toProblem(error).status === 404) showTopicGone(typed)
      })
      return done
    },
    step: (id, direction) => {
      const title = titleOf(editor, id)
      const place = placeTowards(editor.topics, id, direction)
      if (!place) return t(`topics:said.stuck.${direction}`, { title })
      run({ kind: 'move', id, place }, title)
      return moved(id)
    },
    moveTo: (id, place) => {
      const title = titleOf(editor, id)
      const edit = { kind: 'move' as const, id, place }
      run(edit, title)
      if (!editor.canUndo(edit)) return t('topics:said.staysThere', { title })
      const announcement = moved(id)
      offerUndo(edit, announcement)
      return announcement
    },
    remove: (id) => {
      const { topics } = editor
      const place = placeOf(topics, id)
      if (!place) return undefined
      const next = topics[branchEnd(topics, indexOfTopic(topics, id))]
      const nextId = next?.parent_id === place.parentId ? next.id : (place.afterId ?? place.parentId)
      const edit = { kind: 'remove' as const, id }
      run(edit, titleOf(editor, id))
      const announcement = removedSentence(t, topics, id)
      offerUndo(edit, announcement)
      return { key: editor.keyOf(nextId), announcement }
    },
    undo: () => finishTurn(editor.undo()),
    redo: () => finishTurn(editor.redo()),
  }
}

/** Return what makes edits and undoes them, and shows which of them the server refused. */
function createEditCommands(editor: TreeEditor, onUndone: (change: Change | undefined) => void, t: T) {
  /** Closes the notification that offers to undo an edit. */
  const closeUndo = new Map<Edit, () => void>()

  /** Show a text whose topic was deleted in another tab. */
  const showTopicGone = (text: string) =>
    showLost({ title: t('topics:goneTitle'), message: t('topics:goneText'), text, copy: t('copy') })

  const withdrawUndo = (edit: Edit) => {
    closeUndo.get(edit)?.()
    closeUndo.delete(edit)
  }
  const watchRefusal = (done: Promise<unknown>, edit: Edit, title: string) => {
    done.catch((error: unknown) => {
      withdrawUndo(edit)
      const typed = typedText(edit)
      if (typed && toProblem(error).status === 404) showTopicGone(typed)
      else showRefusal(t, t('topics:editRefused', { title }), error)
    })
  }
  const run = (edit: Edit, title: string) => watchRefusal(editor.run(edit), edit, title)

  /** Return what an undo or a redo has changed. */
  const finishTurn = (turn: Turn | undefined): Change | undefined => {
    if (!turn) return undefined
    const { edit, back, before } = turn
    withdrawUndo(edit)
    const id = editor.idOf(back.id)
    const title = titleOf(editor, id)
    watchRefusal(turn.done, back, title || (before[indexOfTopic(before, id)]?.title ?? ''))
    const key = editor.keyOf(id)
    switch (back.kind) {
      case 'remove': {
        const { parentId, afterId } = 'place' in edit ? edit.place : { parentId: '', afterId: null }
        const near = afterId !== null && topicOf(editor, afterId) ? afterId : parentId
        return { key: editor.keyOf(editor.idOf(near)), announcement: removedSentence(t, before, id) }
      }
      case 'change':
        return { key, announcement: changedSentence(t, title, back.changes) }
      case 'move':
        return { key, announcement: movedSentence(t, editor.topics, id) }
      default:
        return { key, announcement: t('topics:said.restored', { title }) }
    }
  }
  const offerUndo = (edit: Edit, message: string) => {
    const undo = () => onUndone(finishTurn(editor.undo(edit)))
    closeUndo.set(edit, showUndo({ message, label: t('undo'), undo }))
  }
  return { run, finishTurn, offerUndo, showTopicGone }
}

const topicOf = (editor: TreeEditor, id: string) => editor.topics[indexOfTopic(editor.topics, editor.idOf(id))]

const titleOf = (editor: TreeEditor, id: string) => topicOf(editor, id)?.title ?? ''

/** Return the text that a person typed for an edit. */
function typedText(edit: Edit): string | undefined {
  if (edit.kind === 'add') return edit.title
  return edit.kind === 'change' ? (edit.changes.title ?? edit.changes.notes ?? edit.changes.link) : undefined
}
