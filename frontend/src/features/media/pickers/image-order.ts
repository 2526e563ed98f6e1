/** Return the list with one entry moved to another place. */
export function moved<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const rest = entries.filter((_, index) => index !== from)
  const entry = entries[from]
  if (entry === undefined) return [...entries]
  return [...rest.slice(0, to), entry, ...rest.slice(to)]
}

/** Return the new index of an entry that is dropped before or behind another one. */
export function placeOf(from: number, target: number, behind: boolean): number {
  const to = behind ? target + 1 : target
  return to > from ? to - 1 : to
}
