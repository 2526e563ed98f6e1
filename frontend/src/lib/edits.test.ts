import { expect, test } from 'vitest'
import { withLaterEdits } from './edits'

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
