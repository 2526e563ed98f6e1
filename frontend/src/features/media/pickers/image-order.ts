/** The list with one of its entries at another place. */
export function moved<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const others = entries.filter((_, index) => index !== from)
  const entry = entries[from]
  if (entry === undefined) return [...entries]
  return [...others.slice(0, to), entry, ...others.slice(to)]
}

/** Where an entry goes that is dropped before or behind another one. */
export function placeOf(from: number, over: number, behind: boolean): number {
  const to = behind ? over + 1 : over
  return to > from ? to - 1 : to
}
