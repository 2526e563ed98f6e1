import { describe, expect, it } from 'vitest'
import { indexOf, positionOf, segmentsOf } from './template-segments'

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
