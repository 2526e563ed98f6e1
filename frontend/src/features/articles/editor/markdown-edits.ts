/** A change of a text: what replaces the part between `from` and `to`, and the selection afterwards. */
export interface Edit {
  from: number
  to: number
  insert: string
  select: readonly [start: number, end: number]
}

/** Returns the edit for a text and its selection. */
export type MakeEdit = (text: string, from: number, to: number) => Edit

/** Put marks around the selection, or remove them; without a selection, around a selected placeholder. */
const wrapped =
  (mark: string, sample: string): MakeEdit =>
  (text, start, end) => {
    const [from, to] = trimmed(text, start, end)
    const chosen = text.slice(from, to)
    const length = mark.length
    if (text.slice(from - length, from) === mark && text.slice(to, to + length) === mark)
      return { from: from - length, to: to + length, insert: chosen, select: [from - length, to - length] }
    if (chosen.length > 2 * length && chosen.startsWith(mark) && chosen.endsWith(mark))
      return { from, to, insert: chosen.slice(length, -length), select: [from, to - 2 * length] }
    const inner = chosen || sample
    return { from, to, insert: mark + inner + mark, select: [from + length, from + length + inner.length] }
  }

/** Return the selection without spaces at its ends, since Markdown ignores marks beside a space. */
function trimmed(text: string, from: number, to: number): [number, number] {
  const chosen = text.slice(from, to)
  if (chosen.trim() === '') return [from, to]
  return [from + chosen.length - chosen.trimStart().length, to - (chosen.length - chosen.trimEnd().length)]
}

export const bold = (sample: string) => wrapped('**', sample)

export const italic = (sample: string) => wrapped('_', sample)

/** Format as code: one line in backticks, several lines as a block. */
export const code =
  (sample: string): MakeEdit =>
  (text, from, to) => {
    const chosen = text.slice(from, to)
    if (!chosen.includes('\n')) return wrapped('`', sample)(text, from, to)
    const [start, end] = wholeLines(text, from, to)
    const lines = text.slice(start, end)
    return { from: start, to: end, insert: `\`\`\`\n${lines}\n\`\`\``, select: [start + 4, start + 4 + lines.length] }
  }

const ADDRESS = /^(https?:\/\/|mailto:)\S+$/

/**
 * Make a link: the selection becomes its text, or its address if it is one. The missing part is selected afterwards.
 */
export const link =
  (sample: string, address: string): MakeEdit =>
  (text, start, end) => {
    const [from, to] = trimmed(text, start, end)
    const chosen = text.slice(from, to)
    const isAddress = ADDRESS.test(chosen)
    const words = isAddress || !chosen ? sample : chosen
    const target = isAddress ? chosen : address
    const insert = `[${words}](${target})`
    const at = isAddress || !chosen ? from + 1 : from + words.length + 3
    return { from, to, insert, select: [at, at + (isAddress || !chosen ? words.length : target.length)] }
  }

/** Return the range of all selected lines. */
function wholeLines(text: string, from: number, to: number): [number, number] {
  const start = text.slice(0, from).lastIndexOf('\n') + 1
  // a selection that ends at the start of a line does not include that line
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last)
  return [start, end < 0 ? text.length : end]
}

const BLOCK_MARK = /^(#{1,6} |> ?|[-*+] |\d+[.)] )/

/** Start each selected line with the mark instead of any other one; if all lines have it, remove it. */
const lines =
  (mark: (index: number) => string, has: RegExp): MakeEdit =>
  (text, from, to) => {
    const [start, end] = wholeLines(text, from, to)
    const old = text.slice(start, end).split('\n')
    const markedLines = old.length > 1 ? old.filter((line) => line.trim() !== '') : old
    const all = markedLines.every((line) => has.test(line))
    let index = 0
    const newLines = old.map((line) => {
      if (old.length > 1 && line.trim() === '') return line
      if (all) return line.replace(has, '')
      return mark(index++) + line.replace(BLOCK_MARK, '')
    })
    const insert = newLines.join('\n')
    // a single line keeps its caret; several lines stay selected
    const caret = from === to ? Math.max(start, from + insert.length - (end - start)) : null
    return { from: start, to: end, insert, select: caret === null ? [start, start + insert.length] : [caret, caret] }
  }

export const list = lines(() => '- ', /^[-*+] /)

export const numberedList = lines((index) => `${index + 1}. `, /^\d+[.)] /)

export const quote = lines(() => '> ', /^> ?/)

/** Switch between heading levels 2 and 3 and no heading; level 1 is the article's title. */
export const heading: MakeEdit = (text, from, to) => {
  const [start] = wholeLines(text, from, to)
  const level = /^(#{1,6}) /.exec(text.slice(start))?.[1]?.length
  if (level === undefined) return lines(() => '## ', /^## /)(text, from, to)
  return level === 2 ? lines(() => '### ', /^### /)(text, from, to) : lines(() => '', /^#{1,6} /)(text, from, to)
}

/** Insert a gallery image as a paragraph, with the caret behind it. */
export const image =
  (mediaId: string, alt: string): MakeEdit =>
  (text, _from, to) => {
    const words = alt.replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&').trim()
    const before = text.slice(0, to)
    const after = text.slice(to)
    const separatorBefore = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
    const separatorAfter = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
    const insert = `${separatorBefore}![${words}](media:${mediaId})${separatorAfter}`
    const end = to + insert.length
    return { from: to, to, insert, select: [end, end] }
  }
