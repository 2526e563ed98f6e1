import { createContext, use, useEffect, useState, type RefObject } from 'react'
import { makeDraggable, makeTarget, type DragScope, type DropMark } from './row-dragging'

export const DragScopeContext = createContext<DragScope | undefined>(undefined)

interface DraggedRow {
  row: RefObject<HTMLElement | null>
  topicKey: string
  title: string
  isRoot: boolean
  isOpen: boolean
  isClosed: boolean
  /** Not while its title is edited: a drag would take the selection of text. */
  fixed: boolean
}

/** Makes a row one that can be dragged and dropped upon. Returns what a drop on it would do right now. */
export function useRowDrag({ row, topicKey, title, isRoot, isOpen, isClosed, fixed }: DraggedRow): DropMark | undefined {
  const scope = use(DragScopeContext)
  const [mark, setMark] = useState<DropMark>()
  useEffect(() => {
    const element = row.current
    if (!element || !scope || fixed || isRoot) return
    return makeDraggable(scope, { element, topicKey, title })
  }, [row, scope, topicKey, title, isRoot, fixed])

  useEffect(() => {
    const element = row.current
    if (!element || !scope) return
    return makeTarget(scope, { element, topicKey, isRoot, isOpen, isClosed, onMark: setMark })
  }, [row, scope, topicKey, isRoot, isOpen, isClosed])
  return mark
}
