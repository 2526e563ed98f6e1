import { diffArrays, diffWordsWithSpace } from 'diff'

export type PieceKind = 'same' | 'added' | 'removed'

export interface Piece {
  kind: PieceKind
  text: string
}

interface Side {
  /** From 1. */
  number: number
  pieces: Piece[]
}

/** One row of the comparison: a line of the older text, of the newer, or of both. */
export interface DiffRow {
  kind: 'same' | 'added' | 'removed' | 'changed'
  older?: Side
  newer?: Side
}

/** A run of rows; unchanged ones far from any change can be folded away. */
export interface DiffPart {
  folded: boolean
  rows: DiffRow[]
}

const CONTEXT = 3 // unchanged lines that stay around a change
const ALIKE = 0.34 // share of two lines that must be the same for them to be one line that changed

/** Return the differences line by line. Replaced lines are side by side, with the words that differ. */
export function diffBodies(older: string, newer: string): DiffRow[] {
  const rows: DiffRow[] = []
  const at = { older: 0, newer: 0 }
  let removed: string[] = []
  const flush = (added: string[]) => {
    rows.push(...replaced(removed, added, at))
    at.older += removed.length
    at.newer += added.length
    removed = []
  }
  for (const change of diffArrays(older.split('\n'), newer.split('\n'))) {
    if (change.removed) {
      removed = change.value
    } else if (change.added) {
      flush(change.value)
    } else {
      flush([])
      for (const text of change.value) {
        at.older += 1
        at.newer += 1
        rows.push({ kind: 'same', older: uncutLine(at.older, text, 'same'), newer: uncutLine(at.newer, text, 'same') })
      }
    }
  }
  flush([])
  return rows
}

const uncutLine = (number: number, text: string, kind: PieceKind): Side => ({ number, pieces: [{ kind, text }] })

function replaced(removed: string[], added: string[], at: { older: number; newer: number }): DiffRow[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index): DiffRow => {
    const [before, after] = [removed[index], added[index]]
    const older = before === undefined ? undefined : at.older + index + 1
    const newer = after === undefined ? undefined : at.newer + index + 1
    if (before === undefined || older === undefined)
      return { kind: 'added', newer: uncutLine(newer ?? 0, after ?? '', 'added') }
    if (after === undefined || newer === undefined) return { kind: 'removed', older: uncutLine(older, before, 'removed') }
    const words = diffWordsWithSpace(before, after)
    const keptLength = words.reduce((sum, word) => sum + (word.added || word.removed ? 0 : word.value.trim().length), 0)
    if (keptLength < ALIKE * Math.max(before.trim().length, after.trim().length))
      return { kind: 'changed', older: uncutLine(older, before, 'removed'), newer: uncutLine(newer, after, 'added') }
    const pieces = words.map(({ value, added, removed }): Piece => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }))
    return {
      kind: 'changed',
      older: { number: older, pieces: pieces.filter(({ kind }) => kind !== 'added') },
      newer: { number: newer, pieces: pieces.filter(({ kind }) => kind !== 'removed') },
    }
  })
}

/** How many lines were added, removed or changed. */
export const changedLines = (older: string, newer: string): number =>
  older === newer ? 0 : diffBodies(older, newer).filter(({ kind }) => kind !== 'same').length

/** Folds what lies more than three lines from any change; a fold hides at least two. */
export function foldRows(rows: readonly DiffRow[]): DiffPart[] {
  const changes = rows.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]))
  const near = new Set(
    changes.flatMap((change) => Array.from({ length: 2 * CONTEXT + 1 }, (_, step) => change - CONTEXT + step)),
  )
  const parts: DiffPart[] = []
  rows.forEach((row, index) => {
    const folded = !near.has(index)
    const last = parts.at(-1)
    if (last?.folded === folded) last.rows.push(row)
    else parts.push({ folded, rows: [row] })
  })
  return parts.map((part) => (part.folded && part.rows.length < 2 ? { ...part, folded: false } : part))
}

/** `3..5` of the address: any two different versions, the older one first. */
export function comparedVersions(address: string): [older: number, newer: number] | null {
  const match = /^(\d{1,9})\.\.(\d{1,9})$/.exec(address)
  const [older, newer] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || older === newer || older < 1 || newer < 1) return null
  return older < newer ? [older, newer] : [newer, older]
}
