import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { attachInstruction, extractInstruction, type Instruction } from '@atlaskit/pragmatic-drag-and-drop-hitbox/tree-item'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { indexOfTopic, branchEnd, placeAfter, placeBefore, placeInside, type Place, type Topics } from './tree-edits'

/** The state that the rows of a tree share while one is dragged. */
export interface DragScope {
  treeId: string
  topics: () => Topics
  idOf: (key: string) => string
  /** Open a closed topic. */
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

/** Return the key of the dragged topic, if it is of this tree. */
export const draggedKey = (data: Record<string, unknown>, treeId: string): string | undefined =>
  data[TREE] === treeId && typeof data[KEY] === 'string' ? data[KEY] : undefined

/** Return the place of a topic that is dropped on a row; undefined if it must not go there. */
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

/** Return whether the place is inside the topic's own branch. */
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

/** Make a row draggable. Return the cleanup function, as do the other functions. */
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
  /** The element that scrolls while a row is dragged to its edge. */
  element: HTMLElement
  onStart: (key: string) => void
  onDrop: (key: string, target: { key: string; data: Record<string | symbol, unknown> }) => void
}

/** Watch drags in a tree, and report drops. */
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
