import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRecord, withLaterEdits } from './edits'

const sent = { name: ' Tips ', tags: ['a'], settings: { tone: 'dry ', longest: 900 }, variables: { Audience: 'x ' } }
const saved = { name: 'Tips', tags: ['a'], settings: { tone: 'dry', longest: 900 }, variables: { Audience: 'x' } }

test('what was not touched since becomes what the server made of it', () => {
  expect(withLaterEdits(saved, sent, structuredClone(sent))).toEqual(saved)
})

test('what was typed since stays, value by value', () => {
  const now = { ...sent, tags: ['a', 'b'], settings: { tone: 'dry ', longest: 500 } }
  expect(withLaterEdits(saved, sent, now)).toEqual({ ...saved, tags: ['a', 'b'], settings: { tone: 'dry', longest: 500 } })
})

test('what was taken out or put in since is out or in', () => {
  expect(withLaterEdits<object>(saved, sent, { ...sent, variables: { Colour: 'red' } })).toEqual({
    ...saved,
    variables: { Colour: 'red' },
  })
})

const value = fc.jsonValue({ maxDepth: 1 })
const form = fc.record({
  name: fc.string(),
  tags: fc.array(fc.string(), { maxLength: 3 }),
  settings: fc.dictionary(fc.constantFrom('tone', 'longest', 'model'), value, { maxKeys: 3 }),
})

test('without edits meanwhile, the form is what the server made of it', () => {
  fc.assert(
    fc.property(form, form, (theirs, before) => {
      expect(withLaterEdits(theirs, before, structuredClone(before))).toEqual(theirs)
    }),
  )
})

test('what the server took as it was, leaves the form as it is', () => {
  fc.assert(
    fc.property(form, form, (before, mine) => {
      expect(withLaterEdits(structuredClone(before), before, mine)).toEqual(mine)
    }),
  )
})

test('each field that was touched is as it was typed, whatever the server made of it', () => {
  fc.assert(
    fc.property(form, form, fc.string(), (theirs, before, typed) => {
      fc.pre(typed !== before.name)
      const now = withLaterEdits(theirs, before, { ...before, name: typed })
      expect(now).toEqual({ ...theirs, name: typed })
    }),
  )
})

test('a value that became something else by kind is the one that was typed', () => {
  expect(withLaterEdits<object>({ when: { at: 1 } }, { when: null }, { when: ['later'] })).toEqual({ when: ['later'] })
  expect(withLaterEdits<object>({ when: null }, { when: { at: 1 } }, { when: { at: 2 } })).toEqual({ when: { at: 2 } })
})

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['text', false],
  [undefined, false],
])('%o is a record: %o', (given, is) => {
  expect(isRecord(given)).toBe(is)
})
