import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bold, code, heading, image, italic, link, list, numberedList, quote, type MakeEdit } from './markdown-edits'

/** What is selected stands between bars; a caret is two of them. */
function after(make: MakeEdit, marked: string): string {
  const from = marked.indexOf('|')
  const to = marked.indexOf('|', from + 1) - 1
  const edit = make(marked.replaceAll('|', ''), from, to)
  const plain = marked.replaceAll('|', '')
  const text = plain.slice(0, edit.from) + edit.insert + plain.slice(edit.to)
  const [start, end] = edit.select
  return `${text.slice(0, start)}|${text.slice(start, end)}|${text.slice(end)}`
}

describe('marks around words', () => {
  test.each([
    [bold('bold'), 'a |word| here', 'a **|word|** here'],
    [bold('bold'), 'a **|word|** here', 'a |word| here'],
    [bold('bold'), 'a |**word**| here', 'a |word| here'],
    [bold('bold'), 'a | word |here', 'a  **|word|** here'],
    [bold('bold'), 'a || here', 'a **|bold|** here'],
    [italic('italic'), '|word|', '_|word|_'],
    [code('code'), 'use |x| now', 'use `|x|` now'],
    [code('code'), 'use |x\ny| now', '```\n|use x\ny now|\n```'],
  ])('%#', (make, before, then) => expect(after(make, before)).toBe(then))
})

describe('a link', () => {
  const make = link('text', 'https://')
  test.each([
    ['see |our shop| today', 'see [our shop](|https://|) today'],
    ['see |https://a.test/b|', 'see [|text|](https://a.test/b)'],
    ['see ||', 'see [|text|](https://)'],
  ])('%s', (before, then) => expect(after(make, before)).toBe(then))
})

describe('marks before lines', () => {
  test.each([
    ['a list', list, '|one\n\ntwo|', '|- one\n\n- two|'],
    ['no list any more', list, '|- one\n- two|', '|one\ntwo|'],
    ['a list in place of numbers', list, '|1. one\n2. two|', '|- one\n- two|'],
    ['numbers', numberedList, '|one\ntwo\n|three', '|1. one\n2. two|\nthree'],
    ['a quote of one line, whose caret stays', quote, 'so|| it is', '> so|| it is'],
    ['a line that is empty', list, 'one\n||', 'one\n- ||'],
    ['a heading', heading, 'Ti||tle', '## Ti||tle'],
    ['a smaller heading', heading, '## Ti||tle', '### Ti||tle'],
    ['no heading any more', heading, '### Ti||tle', 'Ti||tle'],
  ])('%s', (_, make, before, then) => expect(after(make, before)).toBe(then))
})

describe('an image of the gallery', () => {
  test.each([
    ['||', '![A wet street](media:id)||'],
    ['before||', 'before\n\n![A wet street](media:id)||'],
    ['before\n||', 'before\n\n![A wet street](media:id)||'],
    ['before\n\n||after', 'before\n\n![A wet street](media:id)\n\n||after'],
  ])('stands by itself: %j', (before, then) => expect(after(image('id', 'A wet\nstreet'), before)).toBe(then))

  test('keeps brackets of its words apart from its own', () => {
    expect(image('id', 'A [wet] street')('', 0, 0).insert).toBe('![A \\[wet\\] street](media:id)')
  })
})

test('whatever is selected, an edit stays inside the text, and so does what is selected then', () => {
  const makes = [bold('b'), italic('i'), code('c'), link('t', 'https://'), heading, list, numberedList, quote, image('id', 'alt')]
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '*', '_', '`', '#', '-', '1', '.', '>') }), fc.nat(), fc.nat(), (text, one, other) => {
      const [from = 0, to = 0] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b)
      for (const make of makes) {
        const edit = make(text, from, to)
        const length = text.length - (edit.to - edit.from) + edit.insert.length
        expect(0 <= edit.from && edit.from <= edit.to && edit.to <= text.length).toBe(true)
        expect(0 <= edit.select[0] && edit.select[0] <= edit.select[1] && edit.select[1] <= length).toBe(true)
      }
    }),
  )
})
