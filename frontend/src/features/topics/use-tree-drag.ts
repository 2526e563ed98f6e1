import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { useEffect, useMemo, type RefObject } from 'react'
import { draggedKey, dropPlace, type DragScope } from './row-drag'
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
    return combine(
      autoScrollForElements({ element }),
      monitorForElements({
        canMonitor: ({ source }) => draggedKey(source.data, treeId) !== undefined,
        onDragStart: ({ source }) => onChoose(draggedKey(source.data, treeId) ?? ''),
        onDrop: ({ source, location }) => {
          const [target] = location.current.dropTargets
          const id = editor.idOf(draggedKey(source.data, treeId) ?? '')
          const over = target?.data.topicKey
          if (!target || typeof over !== 'string') return
          const place = dropPlace(editor.topics, id, target.data, editor.idOf(over))
          if (!place) return
          onSaid(actions.moveTo(id, place))
          setOpen([editor.keyOf(place.parentId)], true)
        },
      }),
    )
  }, [treeId, editor, actions, scroller, setOpen, onChoose, onSaid])
  return useMemo(
    () => ({ treeId, topics: () => editor.topics, idOf: editor.idOf, open: (key: string) => setOpen([key], true) }),
    [treeId, editor, setOpen],
  )
}
