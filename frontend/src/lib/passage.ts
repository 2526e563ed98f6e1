/** A part of a text, in UTF-16 units like a text field's selection. */
export interface Passage {
  text: string
  start: number
  end: number
}

/** Return the selection, widened to whole characters. Undefined if it is empty or only spaces. */
export function passageOf(text: string, start: number, end: number): Passage | undefined {
  const from = halves(text, start) ? start - 1 : start
  const to = halves(text, end) ? end + 1 : end
  return text.slice(from, to).trim() === '' ? undefined : { text, start: from, end: to }
}

export const passageText = ({ text, start, end }: Passage): string => text.slice(start, end)

/** Return the whole text with `written` in place of the passage. */
export const replacePassage = ({ text, start, end }: Passage, written: string): string =>
  text.slice(0, start) + written + text.slice(end)

const halves = (text: string, at: number) => at > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
