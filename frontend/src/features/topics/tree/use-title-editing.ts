import { useState } from 'react'
import type { TitleInputProps } from './title-input'
import { placeAfter, placeInside, type Place } from './tree-edits'
import type { TreeActions } from './use-tree-actions'
import type { TreeView } from './use-tree-view'

interface Options {
  view: TreeView
  actions: TreeActions
  announce: (sentence: string) => void
  /** Clears the search, which may hide the place of a new topic. */
  clearSearch: () => void
  /** Moves the focus to the tree. */
  focus: () => void
}

type TitleHandlers = Omit<TitleInputProps, 'title'>

/** Return what the rows need to type the title of a new topic, or another one for a topic. */
export function useTitleEditing({ view, actions, announce, clearSearch, focus }: Options) {
  const { shape, editor, draft, setDraft, indexOf } = view
  const [renaming, setRenaming] = useState<string>()

  /** Show the row of a new topic after or inside the topic of `key`. */
  const startDraft = (where: 'sibling' | 'child', key = editor.keyOf(view.activeTopic?.id ?? '')) => {
    const id = editor.idOf(key)
    const place = where === 'child' ? placeInside(editor.topics, id) : placeAfter(editor.topics, id)
    if (!place) return
    if (view.searching) clearSearch()
    setRenaming(undefined)
    view.reveal(indexOf(key))
    view.setOpen([editor.keyOf(place.parentId)], true)
    setDraft(place)
  }
  const closeDraft = () => {
    setDraft(undefined)
    focus()
  }
  const closeRename = () => {
    setRenaming(undefined)
    focus()
  }
  return {
    /** Key of the topic whose title is being edited. */
    renaming,
    startRename: setRenaming,
    startDraft,
    /** Return the handlers of the input of a new topic's title. */
    draftHandlers: (place: Place): TitleHandlers => ({
      onDone: (title, next) => {
        const added = draft && actions.add(draft, title)
        if (!added) return closeDraft()
        announce(added.announcement)
        view.choose(added.key)
        if (next === 'nothing') closeDraft()
        else setDraft(next === 'child' ? { parentId: added.key, afterId: null } : { parentId: draft.parentId, afterId: added.key })
      },
      onUnmount: (title) => actions.add(place, title),
      onCancel: closeDraft,
    }),
    /** Return the handlers of the input of the title of the topic with `key`. */
    renameHandlers: (key: string): TitleHandlers => ({
      onDone: (title, next) => {
        const isChanged = shape.topics[indexOf(key)]?.title !== title
        if (isChanged) announce(actions.change(editor.idOf(key), { title }))
        if (next === 'nothing') return closeRename()
        setRenaming(undefined)
        startDraft(next, key)
      },
      onUnmount: (title) => actions.change(editor.idOf(key), { title }),
      onCancel: closeRename,
    }),
  }
}

export type TitleEditing = ReturnType<typeof useTitleEditing>
