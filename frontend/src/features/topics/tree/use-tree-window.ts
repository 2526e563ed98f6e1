import { useMediaQuery } from '@mantine/hooks'
import { useEffectEvent, useLayoutEffect, useMemo, useSyncExternalStore, type RefObject } from 'react'
import type { TreeView } from './use-tree-view'

const ROW = 38 // px
const ROW_FOR_FINGERS = 44 // px
const EDGE = 8 // px above the first row and below the last
const OVERSCAN = 6 // rows drawn above and below what is in view

export type TreeWindow = ReturnType<typeof useTreeWindow>

/** First and last of the rows of one height that have a part in view. */
function rowsInView(element: HTMLElement | null, row: number): string {
  const { scrollTop, clientHeight } = element ?? { scrollTop: 0, clientHeight: window.innerHeight }
  return `${Math.floor((scrollTop - EDGE) / row)} ${Math.ceil((scrollTop + clientHeight - EDGE) / row) - 1}`
}

/** Tells when it is scrolled, or has another size. */
const followed = (scroller: RefObject<HTMLElement | null>) => (changed: () => void) => {
  const element = scroller.current
  if (!element) return () => undefined
  const sized = new ResizeObserver(changed)
  sized.observe(element)
  element.addEventListener('scroll', changed, { passive: true })
  return () => {
    sized.disconnect()
    element.removeEventListener('scroll', changed)
  }
}

/** The rows that are in the page: those in view and a few around them. The active one is kept in view. */
export function useTreeWindow(view: TreeView, chosen: string, scroller: RefObject<HTMLDivElement | null>) {
  const { drawn, active, activeRow, offered, draftRow } = view
  const height = useMediaQuery('(pointer: coarse)') ? ROW_FOR_FINGERS : ROW
  const follow = useMemo(() => followed(scroller), [scroller])
  // drawn in the frame that shows the place scrolled to; without an element yet, so that rows come with the first drawing
  const inView = useSyncExternalStore(follow, () => rowsInView(scroller.current, height))
  const [first = 0, last = 0] = inView.split(' ').map(Number)

  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(drawn.length - 1, last + OVERSCAN)
  const around = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  // the tree points to the active row, and what is dragged or typed in must stay
  const kept = [active, draftRow].filter((row) => row >= 0 && row < drawn.length)
  const rows = [...new Set([...around, ...kept])].sort((a, b) => a - b)

  /** As far as needed. */
  const show = (row: number) => {
    const element = scroller.current
    if (!element) return
    const start = EDGE + row * height
    const end = start + height
    const { scrollTop, clientHeight } = element
    const isLast = row === drawn.length - 1
    if (start < scrollTop) element.scrollTo({ top: row === 0 ? 0 : start })
    else if (end > scrollTop + clientHeight) element.scrollTo({ top: end - clientHeight + (isLast ? EDGE : 0) })
  }
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
    totalHeight: 2 * EDGE + drawn.length * height,
    /** Where each begins, px from the top. */
    inPage: rows.map((index) => ({ index, start: EDGE + index * height })),
    show,
    /** Rows of one page. */
    page: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1),
  }
}
