import { attachClosestEdge, extractClosestEdge, type Edge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { placeOf } from './image-order'

const INDEX = 'ownImage'

interface Tile {
  element: HTMLElement
  index: number
  /** Called with the side at which another image would be dropped. */
  onEdge: (edge: Edge | null) => void
  onDropped: (from: number, to: number) => void
}

/** Make an image draggable among its list. Return the cleanup function. */
export const makeDraggable = ({ element, index, onEdge, onDropped }: Tile): (() => void) =>
  combine(
    draggable({ element, getInitialData: () => ({ [INDEX]: index }) }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data[INDEX] === 'number',
      getData: ({ input }) => attachClosestEdge({ [INDEX]: index }, { element, input, allowedEdges: ['left', 'right'] }),
      onDrag: ({ self, source }) => onEdge(source.data[INDEX] === index ? null : extractClosestEdge(self.data)),
      onDragLeave: () => onEdge(null),
      onDrop: ({ self, source }) => {
        onEdge(null)
        const from = Number(source.data[INDEX])
        onDropped(from, placeOf(from, index, extractClosestEdge(self.data) === 'right'))
      },
    }),
  )
