interface Room {
  lines: number
  charactersPerLine: number
}

/** Return the part of a text that a feed shows before "see more"; the whole text if nothing is cut. */
export function cutForFeed(text: string, { lines, charactersPerLine }: Room): { shown: string; isCut: boolean } {
  const trimmed = text.trim()
  const shown: string[] = []
  let room = lines
  for (const line of trimmed.split('\n')) {
    const needs = Math.max(1, Math.ceil([...line].length / charactersPerLine))
    if (needs <= room) {
      shown.push(line)
      room -= needs
      continue
    }
    if (room > 0) shown.push(atWord(line, room * charactersPerLine))
    return { shown: shown.join('\n').trimEnd(), isCut: true }
  }
  return { shown: trimmed, isCut: false }
}

/** Return at most `limit` code points, ending with a whole word if there is one. */
function atWord(line: string, limit: number): string {
  const start = [...line].slice(0, limit).join('')
  const end = start.search(/\s+\S*$/u)
  return end > 0 ? start.slice(0, end) : start
}
