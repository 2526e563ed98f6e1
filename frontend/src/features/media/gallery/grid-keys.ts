/** Return the index that a key moves to from the image at `index` in a grid of `columns`; null for other keys. */
export function gridStep(key: string, index: number, columns: number, count: number): number | null {
  const targets = new Map([
    ['ArrowLeft', index - 1],
    ['ArrowRight', index + 1],
    ['ArrowUp', index - columns],
    ['ArrowDown', index + columns],
    ['Home', 0],
    ['End', count - 1],
  ])
  const target = targets.get(key)
  if (target === undefined || count === 0) return null
  // below is an incomplete last row: go to its last image
  if (key === 'ArrowDown' && target >= count) return rowOf(count - 1, columns) > rowOf(index, columns) ? count - 1 : index
  return target < 0 || target >= count ? index : target
}

const rowOf = (index: number, columns: number) => Math.floor(index / columns)
