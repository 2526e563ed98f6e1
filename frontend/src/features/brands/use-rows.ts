import { useRef } from 'react'

/** Add and remove rows of a list. The focus goes to the row at that place, or else to the button that adds one. */
export function useRows<Row>(values: readonly Row[], most: number, onChange: (values: Row[]) => void) {
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const full = values.length >= most
  const focusRow = (index: number) =>
    requestAnimationFrame(() =>
      (list.current?.children[index]?.querySelector<HTMLElement>('input, textarea') ?? add.current)?.focus(),
    )
  return {
    list,
    add,
    full,
    insertAt: (index: number, row: Row) => {
      if (full) return
      onChange(values.toSpliced(index, 0, row))
      focusRow(index)
    },
    removeAt: (index: number) => {
      onChange(values.toSpliced(index, 1))
      focusRow(Math.max(index - 1, 0))
    },
  }
}
