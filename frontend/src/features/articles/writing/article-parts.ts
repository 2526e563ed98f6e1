import type { Passage } from '@/lib/passage'
import type { Values } from '@/features/articles/editor/article-values'

/** A heading of the second level with all below it, up to the next one. */
export interface Section {
  heading: string
  /** Where its heading begins. */
  from: number
  /** Where the line below its heading begins; of the last line of a text, its end. */
  below: number
  end: number
}

const HEADING = /^ {0,3}##(?:[ \t](.*))?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** Of a text in Markdown. A block of code has none. */
export function sectionsOf(text: string): Section[] {
  const found: Section[] = []
  let fence = ''
  let from = 0
  for (const line of text.split('\n')) {
    const end = from + line.length
    const [, marks = '', rest = ''] = FENCE.exec(line) ?? []
    if (fence) {
      if (marks.startsWith(fence) && rest.trim() === '') fence = ''
    } else if (marks) fence = marks
    else {
      const heading = HEADING.exec(line)
      if (heading) {
        const last = found.at(-1)
        if (last) last.end = from
        found.push({ heading: heading[1] ?? '', from, below: Math.min(end + 1, text.length), end: text.length })
      }
    }
    from = end + 1
  }
  return found
}

export const headingsOf = (text: string): string[] => sectionsOf(text).map(({ heading }) => heading.trim())

/** What stands below its heading. */
export const sectionText = (text: string, { below, end }: Section): string => text.slice(below, end).trim()

/** Which of the sections somebody is in; the first one begins with its heading. */
export function sectionAt(text: string, caret: number): number | undefined {
  const at = sectionsOf(text).findLastIndex(({ from }) => from <= caret)
  return at < 0 ? undefined : at
}

/** The first section that has nothing but its heading, from `first` on. */
export function nextToWrite(text: string, first = 0): number | undefined {
  const at = sectionsOf(text).findIndex((section, index) => index >= first && section.heading.trim() && !sectionText(text, section))
  return at < 0 ? undefined : at
}

/** The same text, with `written` below the heading of that section. All around it stays as it is. */
export function withSection(text: string, number: number, written: string): string {
  const section = sectionsOf(text)[number]
  if (!section) return text
  const after = text.slice(section.end)
  const words = written.trim()
  return joined(text.slice(0, section.below), words, after)
}

/** The part of the text in which a section's words stand, as what is selected in it; nothing where it has none. */
export function bodyPassage(text: string, { below, end }: Section): readonly [start: number, end: number] | undefined {
  const words = text.slice(below, end)
  if (words.trim() === '') return undefined
  const start = below + words.length - words.trimStart().length
  return [start, start + words.trim().length]
}

/** Headings alone, which are still to be written about. */
export const skeletonOf = (headings: readonly string[]): string => headings.filter(Boolean).map((heading) => `## ${heading}`).join('\n\n')

export function withHeading(text: string, number: number, heading: string): string {
  const section = sectionsOf(text)[number]
  if (!section) return text
  const line = text.slice(section.from, section.below)
  return `${text.slice(0, section.from)}## ${heading}${line.endsWith('\n') ? '\n' : ''}${text.slice(section.below)}`
}

/** A heading that is added at the end. */
export const withFurther = (text: string, heading: string): string => joined(text, `## ${heading}`, '')

/** Without a section and what stands in it. */
export function without(text: string, number: number): string {
  const section = sectionsOf(text)[number]
  return section ? joined(text.slice(0, section.from), '', text.slice(section.end)) : text
}

/** A section with what stands in it changes places with the next one. */
export function swapped(text: string, number: number): string {
  const [one, other] = sectionsOf(text).slice(number, number + 2)
  if (number < 0 || !one || !other) return text
  const [first, second] = [text.slice(one.from, one.end), text.slice(other.from, other.end)]
  return joined(joined(text.slice(0, one.from), second.trim(), ''), first.trim(), text.slice(other.end))
}

/** Parts with an empty line between them. */
const joined = (before: string, words: string, after: string): string =>
  [before.trimEnd(), words, after.trimStart()].filter(Boolean).join('\n\n')

/** An article as a writer gives it: title and text. */
export function readRevision(written: string, title: string): Pick<Values, 'title' | 'content'> {
  const [, found, rest] = /^# (.+)\n*([\s\S]*)$/.exec(written.trim()) ?? []
  return found === undefined ? { title, content: written.trim() } : { title: found.trim(), content: rest ?? '' }
}

type Written = Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description'>

const FIELDS = {
  outline: ['title', 'content'],
  summary: ['summary'],
  search: ['seo_title', 'seo_description'],
} as const satisfies Record<string, readonly (keyof Written)[]>

/** Which fields hold something that a part would take the place of: then it is shown first, and taken by a press. */
export const overwritten = (part: keyof typeof FIELDS, values: Written): (keyof Written)[] =>
  FIELDS[part].filter((field) => values[field].trim() !== '')

/** Nothing but headings of the second level, if that. */
export function isSkeleton(text: string): boolean {
  const sections = sectionsOf(text)
  return text.slice(0, sections[0]?.from).trim() === '' && sections.every((section) => sectionText(text, section) === '')
}

/** The passage in a text that was changed since; nothing where it is there no more, or more than once. */
export function passageNow({ text, start, end }: Passage, content: string): Passage | undefined {
  const words = text.slice(start, end)
  if (content === text || content.slice(start, end) === words) return { text: content, start, end }
  const at = content.indexOf(words)
  return at < 0 || content.includes(words, at + 1) ? undefined : { text: content, start: at, end: at + words.length }
}
