import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexOf, isFilledIn, isReserved, positionOf, RESERVED, sameName, segmentsOf, withValues } from './template-segments'

const kinds = (body: string) => segmentsOf(body).map(({ kind, text }) => [kind, text])

describe('segmentsOf', () => {
  it('tells reserved variables, own ones and text apart', () => {
    expect(kinds('About ((Topic)) for ((Audience)).')).toEqual([
      ['text', 'About '],
      ['reserved', '((Topic))'],
      ['text', ' for '],
      ['own', '((Audience))'],
      ['text', '.'],
    ])
  })

  it('ignores case and collapses inner spaces', () => {
    expect(segmentsOf('((  brand   VOICE ))')).toEqual([
      { kind: 'reserved', text: '((  brand   VOICE ))', name: 'brand VOICE' },
    ])
  })

  it.each([
    ['unbalanced', 'a ((Topic b', '(('],
    ['empty', 'a (( )) b', '(( ))'],
    ['with other characters', 'a ((To.pic)) b', '((To.pic))'],
    ['too long', `a ((${'x'.repeat(65)})) b`, `((${'x'.repeat(65)}))`],
    ['over two lines', 'a ((To\npic)) b', '(('],
  ])('marks one that is %s', (_, body, broken) => {
    expect(segmentsOf(body).filter((segment) => segment.kind === 'broken')).toEqual([{ kind: 'broken', text: broken }])
  })

  it('leaves escaped parentheses and closing ones as text', () => {
    expect(kinds('\\((Topic)) and (see (below))')).toEqual([['text', '\\((Topic)) and (see (below))']])
  })

  it('takes the last two of a longer run', () => {
    expect(kinds('(((Topic)))')).toEqual([
      ['text', '('],
      ['reserved', '((Topic))'],
      ['text', ')'],
    ])
  })

  it('takes names of any script', () => {
    expect(kinds('((Zielgruppe für Bücher))((読者))').map(([kind]) => kind)).toEqual(['own', 'own'])
  })

  it('loses nothing of the body, and reads a body of openings at once', () => {
    const body = `${'(('.repeat(10_000)}Topic))\nend`
    expect(segmentsOf(body).map((segment) => segment.text).join('')).toBe(body)
  })
})

describe('positions', () => {
  it('count lines and characters from 1, and lead back', () => {
    const body = 'one\n🚲🚲 ((x))'
    const index = body.indexOf('((')
    expect(positionOf(body, index)).toEqual({ line: 2, column: 4 })
    expect(indexOf(body, 2, 4)).toBe(index)
  })
})

/** Random bodies with many parts of variables. */
const body = fc
  .array(fc.oneof(fc.constantFrom('((', '))', '(', ')', '\\((', '\\', 'Topic', 'Audience', ' ', '\n', '🚲', '.'), fc.string({ maxLength: 5 })), { maxLength: 20 })
  .map((parts) => parts.join(''))

describe('any body', () => {
  it('is its segments, one after the other', () => {
    fc.assert(
      fc.property(body, (text) => {
        expect(segmentsOf(text).map((segment) => segment.text).join('')).toBe(text)
      }),
    )
  })

  it('has a name in every variable, and in nothing else', () => {
    fc.assert(
      fc.property(body, (text) => {
        for (const { kind, name } of segmentsOf(text)) expect(name !== undefined).toBe(kind === 'reserved' || kind === 'own')
      }),
    )
  })

  it('has a position at each place between its characters that leads back there', () => {
    fc.assert(
      fc.property(body, fc.nat(), (text, at) => {
        const places = [...text].reduce<number[]>((found, character) => [...found, (found.at(-1) ?? 0) + character.length], [0])
        const index = places[at % places.length] ?? 0
        const { line, column } = positionOf(text, index)
        expect(indexOf(text, line, column)).toBe(index)
      }),
    )
  })
})

describe('names', () => {
  it('are the same whatever their case and however their accents are written', () => {
    expect(sameName('Zielgruppe für', 'ZIELGRUPPE FU\u0308R')).toBe(true)
    expect(sameName('Topic', 'Topics')).toBe(false)
  })

  it.each(RESERVED)('%s is filled in by Postloom', (name) => {
    expect(isReserved(name)).toBe(true)
    expect(isReserved(name.toUpperCase())).toBe(true)
    expect(segmentsOf(`((${name}))`)).toMatchObject([{ kind: 'reserved' }])
  })

  it('of others are not', () => {
    expect(isReserved('Audience')).toBe(false)
    expect(isFilledIn('Audience')).toBe(false)
  })

  it('the link of a topic is, though an assistant may have a value for topics without one', () => {
    expect(isFilledIn('link')).toBe(true)
    expect(isReserved('Link')).toBe(false)
    expect(segmentsOf('((Link))')).toMatchObject([{ kind: 'reserved', name: 'Link' }])
  })
})

describe('the text as it would be sent', () => {
  const values: Partial<Record<string, string>> = { Topic: 'Cargo bikes', Audience: '' }
  const filled = (text: string) => withValues(text, (name) => values[name])

  it.each([
    ['About ((Topic)).', 'About Cargo bikes.'],
    ['For ((Audience))', 'For ((Audience))'],
    ['For ((Unknown)) and ((', 'For ((Unknown)) and (('],
    ['Write \\((Topic)) as it is', 'Write ((Topic)) as it is'],
    ['(( Topic ))', 'Cargo bikes'],
  ])('%s becomes %s', (text, sent) => {
    expect(filled(text)).toBe(sent)
  })

  it('holds values as they are, even such as look like variables', () => {
    expect(withValues('((Topic))', () => '((Audience)) $& \\((x))')).toBe('((Audience)) $& \\((x))')
  })
})

describe('a place beyond the end', () => {
  it.each([
    [1, 99, 3],
    [2, 99, 7],
    [9, 1, 7],
  ])('line %i, column %i is the end of what is there', (line, column, index) => {
    expect(indexOf('one\ntwo', line, column)).toBe(index)
  })
})
