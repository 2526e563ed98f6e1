import { useEffect, useMemo, useState, type RefObject } from 'react'
import type * as rowDragging from './row-dragging'
import type { TreeEditor } from './tree-editor'
import type { TreeActions } from './use-tree-actions'

interface Options {
  treeId: string
  editor: TreeEditor
  actions: TreeActions
  scroller: RefObject<HTMLDivElement | null>
  /** These functions stay the same between renders, so that a drag in progress goes on. */
  setOpen: (keys: readonly string[], open: boolean) => void
  onChoose: (key: string) => void
  announce: (sentence: string) => void
}

/** Move topics by dragging them. Return what the rows need for it, once its code is loaded. */
export function useTreeDrag({ treeId, editor, actions, scroller, setOpen, onChoose, announce }: Options) {
  const [dragging, setDragging] = useState<typeof rowDragging>()
  useEffect(() => {
    void import('./row-dragging').then(setDragging)
  }, [])
  useEffect(() => {
    const element = scroller.current
    if (!element || !dragging) return
    return dragging.watchDrags({
      treeId,
      element,
      onStart: onChoose,
      onDrop: (key, target) => {
        const id = editor.idOf(key)
        const place = dragging.dropPlace(editor.topics, id, target.data, editor.idOf(target.key))
        if (!place) return
        announce(actions.moveTo(id, place))
        setOpen([editor.keyOf(place.parentId)], true)
      },
    })
  }, [dragging, treeId, editor, actions, scroller, setOpen, onChoose, announce])
  return useMemo(() => {
    if (!dragging) return undefined
    const { makeDraggable, makeTarget } = dragging
    const open = (key: string) => setOpen([key], true)
    return { treeId, topics: () => editor.topics, idOf: editor.idOf, open, makeDraggable, makeTarget }
  }, [dragging, treeId, editor, setOpen])
}
