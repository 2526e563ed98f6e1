const BULLET = /^([-*+•●○◦▪■□‣⁃–—·§]|o(?=\s))\s*/u
const NUMBER = /^(\d+(?:\.\d+)*)[.)]?\s+/u
const LETTER = /^[a-z][.)]\s+/iu
const TAB = 4 // columns

interface Item {
  /** Columns before the marker. */
  indent: number
  /** The bullet, the number of parts of a numbering such as "1.2", or another start of the line. */
  marker: string
  parts: number
  title: string
}

/**
 * Return an indented list from Word, a mail or Markdown with a hyphen per level; undefined if it has hyphens already or
 * is a single line.
 */
export function withHyphens(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  // a single line is no list
  if (lines.length < 2 || lines.some((line) => /^\s*--/.test(line))) return undefined
  if (lines.every((line) => /^-/.test(line))) return undefined
  const items = lines.map(itemOf)
  const depths = depthsOf(items)
  return items.map(({ title }, index) => `${'-'.repeat((depths[index] ?? 0) + 1)} ${title}`).join('\n')
}

function itemOf(line: string): Item {
  const blank = /^\s*/u.exec(line)?.[0] ?? ''
  const indent = [...blank].reduce((width, sign) => (sign === '\t' ? width + TAB - (width % TAB) : width + 1), 0)
  const rest = line.slice(blank.length).trimEnd()
  for (const [kind, marker] of [['bullet', BULLET], ['number', NUMBER], ['letter', LETTER]] as const) {
    const match = marker.exec(rest)
    const title = match ? rest.slice(match[0].length) : ''
    // a line with only a marker is a title
    if (!match || !title) continue
    return { indent, marker: kind === 'bullet' ? (match[1] ?? '') : kind, parts: kind === 'number' ? (match[1] ?? '').split('.').length : 0, title }
  }
  return { indent, marker: '', parts: 0, title: rest }
}

/** Return the depths by indentation; without indentation by numbering ("1.2"), or by bullets that differ per level. */
function depthsOf(items: readonly Item[]): number[] {
  if (items.some(({ indent }) => indent !== items[0]?.indent)) return nested(items.map(({ indent }) => indent))
  if (items.some(({ parts }) => parts > 1)) return nested(items.map(({ parts }) => parts))
  const levels = [...new Set(items.map(({ marker }) => marker))]
  return nested(items.map(({ marker }) => levels.indexOf(marker)))
}

/** Return the levels, each at most one deeper than the line before. */
function nested(widths: readonly number[]): number[] {
  const open: number[] = []
  return widths.map((width) => {
    while (open.length > 0 && (open.at(-1) ?? 0) >= width) open.pop()
    open.push(width)
    return open.length - 1
  })
}
