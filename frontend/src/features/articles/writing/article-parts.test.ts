import { expect, test } from 'vitest'
import {
  bodyPassage,
  headingsOf,
  isSkeleton,
  nextToWrite,
  overwritten,
  passageNow,
  readRevision,
  sectionAt,
  sectionsOf,
  skeletonOf,
  swapped,
  withFurther,
  withHeading,
  without,
  withSection,
  sectionText,
} from './article-parts'

const TEXT = 'Before all.\n\n## When\n\nBelow seven.\n\n### Exactly\n\nAt six.\n\n## Which\n\n## Where\n\nAt home.'

test('sections are headings of the second level with all below them', () => {
  expect(headingsOf(TEXT)).toEqual(['When', 'Which', 'Where'])
  expect(sectionsOf(TEXT).map((section) => sectionText(TEXT, section))).toEqual(['Below seven.\n\n### Exactly\n\nAt six.', '', 'At home.'])
})

test('a heading in a block of code is none, whatever the block begins with', () => {
  expect(headingsOf('## One\n\n```\n## no\n~~~\n## no\n```\n\n## Two')).toEqual(['One', 'Two'])
  expect(headingsOf('~~~~ text\n~~~\n## no\n~~~~\n## Yes')).toEqual(['Yes'])
  expect(headingsOf('```\n## open to the end')).toEqual([])
  expect(headingsOf('# One\n### Three\n##Two\n   ## Four\n    ## code')).toEqual(['Four'])
})

test('what is written comes below its heading, and nothing else changes', () => {
  const written = withSection(TEXT, 1, '\nWide **ones**.\n\n')
  expect(written).toBe('Before all.\n\n## When\n\nBelow seven.\n\n### Exactly\n\nAt six.\n\n## Which\n\nWide **ones**.\n\n## Where\n\nAt home.')
  expect(withSection('## Only', 0, 'Words.')).toBe('## Only\n\nWords.')
  expect(withSection('## Only\n\nOld.\n', 0, 'New.')).toBe('## Only\n\nNew.')
  expect(withSection(written, 1, '')).toBe(TEXT)
  expect(withSection(TEXT, 7, 'Nowhere.')).toBe(TEXT)
})

test('the next to write is the first that has nothing but its heading', () => {
  expect(nextToWrite(TEXT)).toBe(1)
  expect(nextToWrite(withSection(TEXT, 1, 'Words.'))).toBeUndefined()
  expect(nextToWrite('## \n\n## One')).toBe(1)
  expect(nextToWrite('No heading.')).toBeUndefined()
})

test.each([
  ['Before', undefined],
  ['## When', 0],
  ['At six', 0],
  ['## Which', 1],
  ['At home', 2],
])('at “%s” the caret is in section %j', (words, number) => {
  expect(sectionAt(TEXT, TEXT.indexOf(words))).toBe(number)
  expect(sectionAt(TEXT, TEXT.length)).toBe(2)
})

test('the passage of a section is its words alone', () => {
  const [when, which] = sectionsOf(TEXT)
  const [start, end] = (when && bodyPassage(TEXT, when)) ?? [0, 0]
  expect(TEXT.slice(start, end)).toBe('Below seven.\n\n### Exactly\n\nAt six.')
  expect(which && bodyPassage(TEXT, which)).toBeUndefined()
})

test('headings are renamed, moved, removed and added with what stands below them', () => {
  expect(withHeading(TEXT, 1, 'Which ones ')).toContain('At six.\n\n## Which ones \n\n## Where')
  expect(withHeading('## Only', 0, 'Other')).toBe('## Other')
  expect(headingsOf(swapped(TEXT, 0))).toEqual(['Which', 'When', 'Where'])
  expect(swapped(TEXT, 0)).toBe('Before all.\n\n## Which\n\n## When\n\nBelow seven.\n\n### Exactly\n\nAt six.\n\n## Where\n\nAt home.')
  expect(swapped(swapped(TEXT, 1), 1)).toBe(TEXT)
  expect([swapped(TEXT, 2), swapped(TEXT, -1)]).toEqual([TEXT, TEXT])
  expect(without(TEXT, 0)).toBe('Before all.\n\n## Which\n\n## Where\n\nAt home.')
  expect(without('## Only\n\nWords.', 0)).toBe('')
  expect(withFurther(TEXT, 'At last')).toBe(`${TEXT}\n\n## At last`)
  expect(withFurther('', 'First')).toBe('## First')
})

test('an outline is headings alone until something is written', () => {
  const skeleton = skeletonOf(['When', '', 'Which'])
  expect(skeleton).toBe('## When\n\n## Which')
  expect([skeleton, '', TEXT, 'Words.', withSection(skeleton, 0, 'Words.')].map(isSkeleton)).toEqual([true, true, false, false, false])
})

test('a part asks before it takes the place of what somebody has written', () => {
  const blank = { title: ' ', content: '\n', summary: '', seo_title: '', seo_description: '' }
  expect((['outline', 'summary', 'search'] as const).flatMap((part) => overwritten(part, blank))).toEqual([])
  expect(overwritten('outline', { ...blank, content: '## When' })).toEqual(['content'])
  expect(overwritten('outline', { ...blank, title: 'Tyres', summary: 'Mine' })).toEqual(['title'])
  expect(overwritten('summary', { ...blank, summary: 'Mine' })).toEqual(['summary'])
  expect(overwritten('search', { ...blank, seo_description: 'Mine' })).toEqual(['seo_description'])
})

test('a passage is found again where the text was changed around it, and only there', () => {
  const passage = { text: 'One. Two. Three.', start: 5, end: 9 }
  expect(passageNow(passage, 'One. Two. Four!')).toEqual({ text: 'One. Two. Four!', start: 5, end: 9 })
  expect(passageNow(passage, 'At first: Two. Three.')).toEqual({ text: 'At first: Two. Three.', start: 10, end: 14 })
  expect(passageNow(passage, 'Two. And Two. again')).toBeUndefined()
  expect(passageNow(passage, 'Nothing of it.')).toBeUndefined()
})

test.each([
  ['# Better tyres\n\n## When\n\nNow.', { title: 'Better tyres', content: '## When\n\nNow.' }],
  ['## When\n\nNow.', { title: 'Tyres', content: '## When\n\nNow.' }],
  ['# Only a title', { title: 'Only a title', content: '' }],
])('of a revision %j title and text are read', (written, read) => {
  expect(readRevision(written, 'Tyres')).toEqual(read)
})
