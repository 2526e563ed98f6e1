/** A change of a text: what comes in place of the part between `from` and `to`, and what is selected afterwards. */
export interface Edit {
  from: number
  to: number
  insert: string
  select: readonly [start: number, end: number]
}

/** Makes one of a text and what is selected in it. */
export type MakeEdit = (text: string, from: number, to: number) => Edit

/** Puts marks around what is selected, or takes them away; with nothing selected, around a word that stands for it. */
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

/** Without the blanks at both ends of what is selected: marks beside a blank are none. */
function trimmed(text: string, from: number, to: number): [number, number] {
  const chosen = text.slice(from, to)
  if (chosen.trim() === '') return [from, to]
  return [from + chosen.length - chosen.trimStart().length, to - (chosen.length - chosen.trimEnd().length)]
}

export const bold = (sample: string) => wrapped('**', sample)

export const italic = (sample: string) => wrapped('_', sample)

/** In one line between backticks, of several lines as a block. */
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

/** What is selected becomes its words, or its address where it is one; what is missing is selected then. */
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

/** From the beginning of the first selected line to the end of the last one. */
function wholeLines(text: string, from: number, to: number): [number, number] {
  const start = text.slice(0, from).lastIndexOf('\n') + 1
  // a selection that ends at the beginning of a line does not mean that line
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last)
  return [start, end < 0 ? text.length : end]
}

const BLOCK_MARK = /^(#{1,6} |> ?|[-*+] |\d+[.)] )/

/** Begins each of the selected lines with a mark in place of any other one; where all have it, takes it away. */
const lines =
  (mark: (index: number) => string, has: RegExp): MakeEdit =>
  (text, from, to) => {
    const [start, end] = wholeLines(text, from, to)
    const old = text.slice(start, end).split('\n')
    const meant = old.length > 1 ? old.filter((line) => line.trim() !== '') : old
    const all = meant.every((line) => has.test(line))
    let index = 0
    const made = old.map((line) => {
      if (old.length > 1 && line.trim() === '') return line
      if (all) return line.replace(has, '')
      return mark(index++) + line.replace(BLOCK_MARK, '')
    })
    const insert = made.join('\n')
    // one line keeps its caret, of several all stay selected
    const caret = from === to ? Math.max(start, from + insert.length - (end - start)) : null
    return { from: start, to: end, insert, select: caret === null ? [start, start + insert.length] : [caret, caret] }
  }

export const list = lines(() => '- ', /^[-*+] /)

export const numberedList = lines((index) => `${index + 1}. `, /^\d+[.)] /)

export const quote = lines(() => '> ', /^> ?/)

/** Of the second level, then of the third, then none: the first is the article's title. */
export const heading: MakeEdit = (text, from, to) => {
  const [start] = wholeLines(text, from, to)
  const level = /^(#{1,6}) /.exec(text.slice(start))?.[1]?.length
  if (level === undefined) return lines(() => '## ', /^## /)(text, from, to)
  return level === 2 ? lines(() => '### ', /^### /)(text, from, to) : lines(() => '', /^#{1,6} /)(text, from, to)
}

/** An image of the gallery, in a paragraph of its own; the caret goes behind it. */
export const image =
  (mediaId: string, alt: string): MakeEdit =>
  (text, _from, to) => {
    const words = alt.replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&').trim()
    const before = text.slice(0, to)
    const after = text.slice(to)
    const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
    const trail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
    const insert = `${lead}![${words}](media:${mediaId})${trail}`
    const end = to + insert.length
    return { from: to, to, insert, select: [end, end] }
  }
