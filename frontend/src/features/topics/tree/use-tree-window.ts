import { useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import type { TreeView } from './use-tree-view'

const ROW = 38 // px
const ROW_FOR_FINGERS = 44 // px
const EDGE = 8 // px above the first row and below the last

export type TreeWindow = ReturnType<typeof useTreeWindow>

/** The rows that are in the page: those in view and a few around them. The active one is kept in view. */
export function useTreeWindow(view: TreeView, chosen: string, scroller: RefObject<HTMLDivElement | null>) {
  const { drawn, active, activeRow, offered, draftRow } = view
  const height = useMediaQuery('(pointer: coarse)') ? ROW_FOR_FINGERS : ROW
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing that it returns is memoised
  const virtual = useVirtualizer({
    count: drawn.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
    paddingStart: EDGE,
    paddingEnd: EDGE,
    scrollPaddingStart: EDGE,
    scrollPaddingEnd: EDGE,
    // rows come with the first drawing
    initialRect: { width: 0, height: window.innerHeight },
    rangeExtractor: (range: Range) => {
      // the tree points to the active row, and what is dragged or typed in must stay
      const pinnedRows = [active, draftRow].filter((row) => row >= 0 && row < drawn.length)
      return [...new Set([...defaultRangeExtractor(range), ...pinnedRows])].sort((a, b) => a - b)
    },
  })
  useLayoutEffect(() => virtual.measure(), [virtual, height])

  /** Scrolls as far as needed. */
  const show = (row: number) => virtual.scrollToIndex(row, { align: 'auto' })
  const showActive = useEffectEvent(() => show(active))
  const showDraft = useEffectEvent(() => {
    if (draftRow >= 0) show(draftRow)
  })
  // not where suggestions come or go elsewhere
  useLayoutEffect(() => showActive(), [chosen, offered, activeRow])
  useLayoutEffect(() => showDraft(), [draftRow])
  return {
    /** Of one row, px. */
    rowHeight: height,
    totalHeight: virtual.getTotalSize(),
    /** Where each begins, px from the top. */
    inPage: virtual.getVirtualItems(),
    show,
    /** Rows of one page. */
    page: () => Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / height) - 1),
  }
}
