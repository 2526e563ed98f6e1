import { createContext, use, useEffect, useState, type RefObject } from 'react'
import type * as dragging from './row-dragging'

/** Undefined until the code of dragging is loaded. */
export const DragScopeContext = createContext<(dragging.DragScope & Dragging) | undefined>(undefined)

type Dragging = Pick<typeof dragging, 'makeDraggable' | 'makeTarget'>

interface DraggedRow {
  row: RefObject<HTMLElement | null>
  topicKey: string
  title: string
  isRoot: boolean
  isOpen: boolean
  isClosed: boolean
  /** Whether it can't be dragged: while its title is edited, a drag would take the selection of text. */
  fixed: boolean
}

/** Make a row draggable and a drop target. Return what a drop on it would do now. */
export function useRowDrag({ row, topicKey, title, isRoot, isOpen, isClosed, fixed }: DraggedRow): dragging.DropMark | undefined {
  const scope = use(DragScopeContext)
  const [mark, setMark] = useState<dragging.DropMark>()
  useEffect(() => {
    const element = row.current
    if (!element || !scope || fixed || isRoot) return
    return scope.makeDraggable(scope, { element, topicKey, title })
  }, [row, scope, topicKey, title, isRoot, fixed])

  useEffect(() => {
    const element = row.current
    if (!element || !scope) return
    return scope.makeTarget(scope, { element, topicKey, isRoot, isOpen, isClosed, onMark: setMark })
  }, [row, scope, topicKey, isRoot, isOpen, isClosed])
  return mark
}
