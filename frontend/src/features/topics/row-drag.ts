import { createContext, use, useEffect, useState, type RefObject } from 'react'
import type { Topics } from './tree-edits'

/** What the rows of one tree know of each other while one is dragged. */
export interface DragScope {
  treeId: string
  topics: () => Topics
  idOf: (key: string) => string
  /** Opens a closed topic. */
  open: (key: string) => void
  /** What dragging is made of, once the page stands. */
  parts: typeof import('./row-dragging') | undefined
}

export const DragScopeContext = createContext<DragScope | undefined>(undefined)

export type DropMark = 'before' | 'after' | 'into' | 'forbidden'

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
    if (!element || !scope?.parts || fixed || isRoot) return
    return scope.parts.makeDraggable(scope, { element, topicKey, title })
  }, [row, scope, topicKey, title, isRoot, fixed])

  useEffect(() => {
    const element = row.current
    if (!element || !scope?.parts) return
    return scope.parts.makeTarget(scope, { element, topicKey, isRoot, isOpen, isClosed, onMark: setMark })
  }, [row, scope, topicKey, isRoot, isOpen, isClosed])
  return mark
}
