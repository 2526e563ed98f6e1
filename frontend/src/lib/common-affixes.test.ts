import { expect, test } from 'vitest'
import { commonAffixes } from './common-affixes'

test.each([
  ['Tyres are in.', 'Tyres are out.', 'in', 'out'],
  ['same', 'same', '', ''],
  ['', 'all of it', '', 'all of it'],
  ['winter', 'winters', 'winter', 'winters'],
  ['a b b c', 'a b c', 'b ', ''],
  ['👍🏽 fine', '👍🏻 fine', '👍🏽', '👍🏻'],
])('%j and %j differ in %j and %j', (one, other, inOne, inOther) => {
  const [start, end] = commonAffixes(one, other)
  expect([one.slice(start, one.length - end), other.slice(start, other.length - end)]).toEqual([inOne, inOther])
})
