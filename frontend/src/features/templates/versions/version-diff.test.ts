import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines, comparedVersions, diffBodies, foldRows, type DiffRow } from './version-diff'

const text = (side: DiffRow['older']) => side?.pieces.map((piece) => piece.text).join('')
const marked = (side: DiffRow['older']) =>
  side?.pieces.filter(({ kind }) => kind !== 'same').map((piece) => piece.text)

describe('diffBodies', () => {
  it('sets a changed line beside the older one and marks the words', () => {
    const [first, second, third] = diffBodies('One\nWrite about ((Topic)) now\nThree', 'One\nWrite about ((Content)) now\nThree')
    expect([first?.kind, second?.kind, third?.kind]).toEqual(['same', 'changed', 'same'])
    expect(marked(second?.older)).toEqual(['Topic'])
    expect(marked(second?.newer)).toEqual(['Content'])
    expect([second?.older?.number, second?.newer?.number]).toEqual([2, 2])
  })

  it('numbers each side by its own lines', () => {
    const rows = diffBodies('a\nb\nc', 'a\nnew\nnewer\nb\nc')
    expect(rows.map(({ kind, older, newer }) => [kind, older?.number, newer?.number])).toEqual([
      ['same', 1, 1],
      ['added', undefined, 2],
      ['added', undefined, 3],
      ['same', 2, 4],
      ['same', 3, 5],
    ])
  })

  it('marks a line as a whole where it has next to nothing in common with the other', () => {
    const [row] = diffBodies('Write a short post', 'Zeichne drei Äpfel')
    expect(marked(row?.older)).toEqual(['Write a short post'])
    expect(marked(row?.newer)).toEqual(['Zeichne drei Äpfel'])
  })

  it.each([
    ['', 'one\ntwo'],
    ['one\ntwo', ''],
    ['a\nb\nc\nd', 'b\nc changed\nx\nd\n'],
    ['same', 'same'],
    ['a\n\n\nb', 'a\nb\n\n'],
  ])('loses nothing of %j and %j', (older, newer) => {
    const rows = diffBodies(older, newer)
    const side = (which: 'older' | 'newer') => rows.flatMap((row) => (row[which] ? [text(row[which])] : [])).join('\n')
    expect(side('older')).toBe(older)
    expect(side('newer')).toBe(newer)
  })
})

it('counts changed, added and removed lines', () => {
  expect(changedLines('a\nb\nc', 'a\nB\nc\nd')).toBe(2)
  expect(changedLines('a', 'a')).toBe(0)
})

it('folds what is far from any change, and only what is worth it', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const rows = diffBodies(lines.join('\n'), lines.with(10, 'other').join('\n'))
  expect(foldRows(rows).map(({ folded, rows }) => [folded, rows.length])).toEqual([
    [true, 7],
    [false, 7],
    [true, 6],
  ])
  const short = diffBodies('a\nb\nc\nd\ne', 'a\nb\nc\nd\nE')
  expect(foldRows(short).map(({ folded }) => folded)).not.toContain(true)
})

it.each([
  ['3..5', [3, 5]],
  ['5..3', [3, 5]],
  ['3..3', null],
  ['0..2', null],
  ['3', null],
  ['', null],
])('reads %j of the address as %j', (address, versions) => {
  expect(comparedVersions(address)).toEqual(versions)
})

describe('any two texts', () => {
  const line = fc.array(fc.constantFrom('rain', 'snow', 'wind', 'the', 'a', '🚲', '((Topic))'), { maxLength: 5 }).map((words) => words.join(' '))
  const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'))
  const sideOf = (rows: DiffRow[], side: 'older' | 'newer') => rows.flatMap((row) => row[side] ?? [])
  const read = (rows: DiffRow[], side: 'older' | 'newer') =>
    sideOf(rows, side).map(({ pieces }) => pieces.map((piece) => piece.text).join('')).join('\n')

  it('can be read back from their comparison, whole', () => {
    fc.assert(
      fc.property(text, text, (older, newer) => {
        const rows = diffBodies(older, newer)
        expect(read(rows, 'older')).toBe(older)
        expect(read(rows, 'newer')).toBe(newer)
      }),
    )
  })

  it('have their lines numbered one after the other', () => {
    fc.assert(
      fc.property(text, text, (older, newer) => {
        const rows = diffBodies(older, newer)
        for (const side of ['older', 'newer'] as const)
          expect(sideOf(rows, side).map(({ number }) => number)).toEqual((side === 'older' ? older : newer).split('\n').map((_, index) => index + 1))
      }),
    )
  })

  it('show nothing as new on the older side, and nothing as gone on the newer one', () => {
    fc.assert(
      fc.property(text, text, (older, newer) => {
        const rows = diffBodies(older, newer)
        expect(sideOf(rows, 'older').flatMap(({ pieces }) => pieces).some(({ kind }) => kind === 'added')).toBe(false)
        expect(sideOf(rows, 'newer').flatMap(({ pieces }) => pieces).some(({ kind }) => kind === 'removed')).toBe(false)
      }),
    )
  })

  it('differ in no line exactly where they are the same', () => {
    fc.assert(
      fc.property(text, text, (older, newer) => {
        expect(changedLines(older, newer) === 0).toBe(older === newer)
        expect(changedLines(older, older)).toBe(0)
      }),
    )
  })

  it('lose no row by folding, and hide no change', () => {
    fc.assert(
      fc.property(text, text, (older, newer) => {
        const rows = diffBodies(older, newer)
        const parts = foldRows(rows)
        expect(parts.flatMap((part) => part.rows)).toEqual(rows)
        for (const part of parts.filter(({ folded }) => folded)) {
          expect(part.rows.length).toBeGreaterThanOrEqual(2)
          expect(part.rows.every(({ kind }) => kind === 'same')).toBe(true)
        }
      }),
    )
  })
})

it.each([
  ['3..5', [3, 5]],
  ['5..3', [3, 5]],
  ['3..3', null],
  ['0..3', null],
  ['3', null],
  ['3..', null],
  ['a..b', null],
  ['1..9999999999', null],
  ['', null],
])('the address %o compares %o', (address, versions) => {
  expect(comparedVersions(address)).toEqual(versions)
})
