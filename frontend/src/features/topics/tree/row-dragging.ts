import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { attachInstruction, extractInstruction, type Instruction } from '@atlaskit/pragmatic-drag-and-drop-hitbox/tree-item'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { indexOfTopic, branchEnd, placeAfter, placeBefore, placeInside, type Place, type Topics } from './tree-edits'

/** What the rows of one tree know of each other while one is dragged. */
export interface DragScope {
  treeId: string
  topics: () => Topics
  idOf: (key: string) => string
  /** Opens a closed topic. */
  open: (key: string) => void
}

export type DropMark = 'before' | 'after' | 'into' | 'forbidden'

const OPEN_AFTER = 700 // ms over a closed topic

const marks: Record<Instruction['type'], DropMark> = {
  'reorder-above': 'before',
  'reorder-below': 'after',
  'make-child': 'into',
  reparent: 'after',
  'instruction-blocked': 'forbidden',
}

const markOf = (data: Record<string | symbol, unknown>): DropMark | undefined => {
  const instruction = extractInstruction(data)
  return instruction ? marks[instruction.type] : undefined
}

const KEY = 'topicKey'
const TREE = 'treeId'

/** The topic that is dragged, if it is one of this tree. */
export const draggedKey = (data: Record<string, unknown>, treeId: string): string | undefined =>
  data[TREE] === treeId && typeof data[KEY] === 'string' ? data[KEY] : undefined

/** Where a topic would go if it was dropped on a row; undefined where it must not go. */
export function dropPlace(topics: Topics, id: string, data: Record<string | symbol, unknown>, targetId: string): Place | undefined {
  switch (markOf(data)) {
    case 'before': {
      const place = placeBefore(topics, targetId)
      // right behind itself: it stays
      return place?.afterId === id ? undefined : place
    }
    case 'after':
      return placeAfter(topics, targetId)
    case 'into':
      return placeInside(topics, targetId)
    default:
      return undefined
  }
}

/** A topic can't go below itself. */
function isForbidden(topics: Topics, id: string, targetId: string): boolean {
  const at = indexOfTopic(topics, id)
  const target = indexOfTopic(topics, targetId)
  return target >= at && target < branchEnd(topics, at)
}

interface Dragged {
  element: HTMLElement
  topicKey: string
  title: string
}

/** Returns what ends it, as all of these do. */
export const makeDraggable = (scope: DragScope, { element, topicKey, title }: Dragged): (() => void) =>
  draggable({
    element,
    getInitialData: () => ({ [TREE]: scope.treeId, [KEY]: topicKey }),
    onGenerateDragPreview: ({ nativeSetDragImage }) =>
      setCustomNativeDragPreview({
        nativeSetDragImage,
        getOffset: pointerOutsideOfPreview({ x: '14px', y: '8px' }),
        render: ({ container }) => {
          const chip = Object.assign(document.createElement('div'), { className: 'tree-dragged', textContent: title })
          container.append(chip)
        },
      }),
  })

interface Target {
  element: HTMLElement
  topicKey: string
  isRoot: boolean
  isOpen: boolean
  isClosed: boolean
  onMark: (mark: DropMark | undefined) => void
}

export function makeTarget(scope: DragScope, { element, topicKey, isRoot, isOpen, isClosed, onMark }: Target): () => void {
  let opening: ReturnType<typeof setTimeout> | undefined
  const forget = () => {
    clearTimeout(opening)
    opening = undefined
  }
  const follow = (next: DropMark | undefined) => {
    onMark(next)
    if (next !== 'into' || !isClosed) forget()
    else opening ??= setTimeout(() => scope.open(topicKey), OPEN_AFTER)
  }
  const stop = dropTargetForElements({
    element,
    canDrop: ({ source }) => draggedKey(source.data, scope.treeId) !== undefined,
    getData: ({ source, input }) => {
      const id = scope.idOf(draggedKey(source.data, scope.treeId) ?? '')
      const forbidden = isForbidden(scope.topics(), id, scope.idOf(topicKey))
      return attachInstruction(
        { [KEY]: topicKey },
        {
          element,
          input,
          currentLevel: 0,
          indentPerLevel: 0,
          // behind an open topic stands its first child: there it is only "before" or "into"
          mode: isOpen ? 'expanded' : 'standard',
          block: forbidden
            ? ['reorder-above', 'reorder-below', 'make-child']
            : isRoot
              ? ['reorder-above', 'reorder-below']
              : [],
        },
      )
    },
    onDrag: ({ self }) => follow(markOf(self.data)),
    onDragEnter: ({ self }) => follow(markOf(self.data)),
    onDragLeave: () => follow(undefined),
    onDrop: () => follow(undefined),
  })
  return () => {
    forget()
    stop()
  }
}

interface Watched {
  treeId: string
  /** What scrolls while something is dragged to its edge. */
  element: HTMLElement
  onStart: (key: string) => void
  onDrop: (key: string, target: { key: string; data: Record<string | symbol, unknown> }) => void
}

/** Tells of what is dragged in a tree, and where it is dropped. */
export const watchDrags = ({ treeId, element, onStart, onDrop }: Watched): (() => void) =>
  combine(
    autoScrollForElements({ element }),
    monitorForElements({
      canMonitor: ({ source }) => draggedKey(source.data, treeId) !== undefined,
      onDragStart: ({ source }) => onStart(draggedKey(source.data, treeId) ?? ''),
      onDrop: ({ source, location }) => {
        const [target] = location.current.dropTargets
        const key = target?.data[KEY]
        if (target && typeof key === 'string') onDrop(draggedKey(source.data, treeId) ?? '', { key, data: target.data })
      },
    }),
  )
