import type { Passage } from '@/lib/passage'
import type { Values } from '@/features/articles/editor/article-values'

/** A level 2 heading with everything up to the next one. */
export interface Section {
  heading: string
  /** The start of the heading. */
  from: number
  /** The start of the line after the heading; at the last line, the end of the text. */
  below: number
  end: number
}

const HEADING = /^ {0,3}##(?:[ \t](.*))?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** Return the sections of a Markdown text. Code blocks contain no headings. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
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
        const last = sections.at(-1)
        if (last) last.end = from
        sections.push({ heading: heading[1] ?? '', from, below: Math.min(end + 1, text.length), end: text.length })
      }
    }
    from = end + 1
  }
  return sections
}

export const headingsOf = (text: string): string[] => sectionsOf(text).map(({ heading }) => heading.trim())

/** Return the text of a section without its heading. */
export const sectionText = (text: string, { below, end }: Section): string => text.slice(below, end).trim()

/** Return the index of the section at a position; the text before the first heading belongs to no section. */
export function sectionAt(text: string, caret: number): number | undefined {
  const at = sectionsOf(text).findLastIndex(({ from }) => from <= caret)
  return at < 0 ? undefined : at
}

/** Return the index of the first section without a text, from `first` on. */
export function nextToWrite(text: string, first = 0): number | undefined {
  const at = sectionsOf(text).findIndex((section, index) => index >= first && section.heading.trim() && !sectionText(text, section))
  return at < 0 ? undefined : at
}

/** Return the text with `written` below the section's heading; the rest is unchanged. */
export function withSection(text: string, number: number, written: string): string {
  const section = sectionsOf(text)[number]
  if (!section) return text
  const after = text.slice(section.end)
  const words = written.trim()
  return joined(text.slice(0, section.below), words, after)
}

/** Return a section's text as a passage; undefined if it has none. */
export function bodyPassage(text: string, { below, end }: Section): readonly [start: number, end: number] | undefined {
  const words = text.slice(below, end)
  if (words.trim() === '') return undefined
  const start = below + words.length - words.trimStart().length
  return [start, start + words.trim().length]
}

/** Return a text with only these headings. */
export const skeletonOf = (headings: readonly string[]): string => headings.filter(Boolean).map((heading) => `## ${heading}`).join('\n\n')

export function withHeading(text: string, number: number, heading: string): string {
  const section = sectionsOf(text)[number]
  if (!section) return text
  const line = text.slice(section.from, section.below)
  return `${text.slice(0, section.from)}## ${heading}${line.endsWith('\n') ? '\n' : ''}${text.slice(section.below)}`
}

/** Return the text with a heading added at the end. */
export const withFurther = (text: string, heading: string): string => joined(text, `## ${heading}`, '')

/** Return the text without a section. */
export function without(text: string, number: number): string {
  const section = sectionsOf(text)[number]
  return section ? joined(text.slice(0, section.from), '', text.slice(section.end)) : text
}

/** Return the text with a section and the next one swapped. */
export function swapped(text: string, number: number): string {
  const [section, nextSection] = sectionsOf(text).slice(number, number + 2)
  if (number < 0 || !section || !nextSection) return text
  const [first, second] = [text.slice(section.from, section.end), text.slice(nextSection.from, nextSection.end)]
  return joined(joined(text.slice(0, section.from), second.trim(), ''), first.trim(), text.slice(nextSection.end))
}

/** Return the parts joined by empty lines. */
const joined = (before: string, words: string, after: string): string =>
  [before.trimEnd(), words, after.trimStart()].filter(Boolean).join('\n\n')

/** Return the title and the text of a written article. */
export function readRevision(written: string, title: string): Pick<Values, 'title' | 'content'> {
  const [, newTitle, rest] = /^# (.+)\n*([\s\S]*)$/.exec(written.trim()) ?? []
  return newTitle === undefined ? { title, content: written.trim() } : { title: newTitle.trim(), content: rest ?? '' }
}

type Written = Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description'>

const FIELDS = {
  outline: ['title', 'content'],
  summary: ['summary'],
  search: ['seo_title', 'seo_description'],
} as const satisfies Record<string, readonly (keyof Written)[]>

/** Return the fields with a value that a new part would replace. If there are any, the part is only offered. */
export const overwritten = (part: keyof typeof FIELDS, values: Written): (keyof Written)[] =>
  FIELDS[part].filter((field) => values[field].trim() !== '')

/** Return whether the text is empty or has only level 2 headings. */
export function isSkeleton(text: string): boolean {
  const sections = sectionsOf(text)
  return text.slice(0, sections[0]?.from).trim() === '' && sections.every((section) => sectionText(text, section) === '')
}

/** Return the passage in the current text; undefined if it is missing or not unique. */
export function passageNow({ text, start, end }: Passage, content: string): Passage | undefined {
  const words = text.slice(start, end)
  if (content === text || content.slice(start, end) === words) return { text: content, start, end }
  const at = content.indexOf(words)
  return at < 0 || content.includes(words, at + 1) ? undefined : { text: content, start: at, end: at + words.length }
}
