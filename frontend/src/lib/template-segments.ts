/** Variables that Postloom fills in; the others get a fixed value in the assistant. */
export const RESERVED = ['Topic', 'Content', 'Topic Path', 'Language', 'Date', 'Channel', 'Brand Voice'] as const

/** The link of the topic. Postloom fills it in if the topic has one; an assistant's fixed value is for topics without. */
export const LINK = 'Link'

/** Variables that the editor offers. */
export const OFFERED = [...RESERVED, LINK] as const

export type SegmentKind = 'text' | 'reserved' | 'own' | 'broken'

export interface Segment {
  kind: SegmentKind
  /** As written: all segments together are the body. */
  text: string
  /** A variable's name, inner spaces collapsed. */
  name?: string
}

const LONGEST_NAME = 64
const TOKEN = /\\\(\(|\(\((?!\()(?<name>(?:(?!\(\(|\)\))[^\n\r])*)\)\)|\(\((?!\()/gu
const NAME = /^[\p{L}\p{M}\p{Nd} _-]+$/u

/** Return the name in the form in which names are compared. */
export const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

const reserved = new Set(RESERVED.map(keyOf))

/** Return whether Postloom always fills in the variable, ignoring case. */
export const isReserved = (name: string) => reserved.has(keyOf(name))

/** Return whether Postloom fills in the variable, at least for some topics. */
export const isFilledIn = (name: string) => isReserved(name) || keyOf(name) === keyOf(LINK)

export const sameName = (a: string, b: string) => keyOf(a) === keyOf(b)

/** Return the segments for highlighting while typing. Only the server validates and explains errors. */
export function segmentsOf(body: string): Segment[] {
  const segments: Segment[] = []
  let done = 0
  for (const token of body.matchAll(TOKEN)) {
    if (token[0].startsWith('\\')) continue
    if (token.index > done) segments.push({ kind: 'text', text: body.slice(done, token.index) })
    segments.push(variable(token[0], token.groups?.name))
    done = token.index + token[0].length
  }
  if (done < body.length) segments.push({ kind: 'text', text: body.slice(done) })
  return segments
}

function variable(text: string, written: string | undefined): Segment {
  const name = written?.split(/\s+/u).filter(Boolean).join(' ') ?? ''
  if (!NAME.test(name) || [...name].length > LONGEST_NAME) return { kind: 'broken', text }
  return { kind: isFilledIn(name) ? 'reserved' : 'own', text, name }
}

/** Return the start and end of the first place of a variable. */
export function rangeOf(body: string, name: string): [start: number, end: number] | undefined {
  let start = 0
  for (const segment of segmentsOf(body)) {
    const end = start + segment.text.length
    if (segment.name && sameName(segment.name, name)) return [start, end]
    start = end
  }
  return undefined
}

/** Return the text with values filled in, for previews; a variable without a value stays as written. */
export function withValues(body: string, valueOf: (name: string) => string | undefined): string {
  const shown = segmentsOf(body).map(({ kind, text, name }) => {
    if (kind === 'text') return text.replaceAll('\\((', '((')
    return (name !== undefined && valueOf(name)) || text
  })
  return shown.join('')
}

/** Return line and column, both from 1; columns count code points. */
export function positionOf(body: string, index: number): { line: number; column: number } {
  const before = body.slice(0, index).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

/** Return the index of a line and column; past a line's end its end, past the last line the body's end. */
export function indexOf(body: string, line: number, column: number): number {
  const lines = body.split('\n')
  if (line > lines.length) return body.length
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  return start + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length
}
