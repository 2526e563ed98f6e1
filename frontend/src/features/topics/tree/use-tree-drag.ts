import { useEffect, useMemo, type RefObject } from 'react'
import { dropPlace, watchDrags, type DragScope } from './row-dragging'
import type { TreeEditor } from './tree-editor'
import type { TreeActions } from './use-tree-actions'

interface Means {
  treeId: string
  editor: TreeEditor
  actions: TreeActions
  scroller: RefObject<HTMLDivElement | null>
  /** They are the same from one drawing to the next: a drag under way goes on. */
  setOpen: (keys: readonly string[], open: boolean) => void
  onChoose: (key: string) => void
  onSaid: (sentence: string) => void
}

/** Topics by dragging: where one is dropped it goes. */
export function useTreeDrag({ treeId, editor, actions, scroller, setOpen, onChoose, onSaid }: Means): DragScope {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    return watchDrags({
      treeId,
      element,
      onStart: onChoose,
      onDrop: (key, target) => {
        const id = editor.idOf(key)
        const place = dropPlace(editor.topics, id, target.data, editor.idOf(target.key))
        if (!place) return
        onSaid(actions.moveTo(id, place))
        setOpen([editor.keyOf(place.parentId)], true)
      },
    })
  }, [treeId, editor, actions, scroller, setOpen, onChoose, onSaid])
  return useMemo(
    () => ({ treeId, topics: () => editor.topics, idOf: editor.idOf, open: (key: string) => setOpen([key], true) }),
    [treeId, editor, setOpen],
  )
}
