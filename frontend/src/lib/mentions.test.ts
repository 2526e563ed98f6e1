import { expect, it } from 'vitest'
import { namedMentions } from './post-link'

it.each([
  ['Thanks, @[Lindqvist Coffee](urn:li:organization:2414183)!', 'Thanks, Lindqvist Coffee!'],
  ['@[A](urn:li:person:x_1-b) and @[Ä (b)](urn:li:organizationBrand:7)', 'A and Ä (b)'],
  ['@ada @[Ada](x) @[Ada](urn:li:nobody:1) [Ada](urn:li:person:1)', '@ada @[Ada](x) @[Ada](urn:li:nobody:1) [Ada](urn:li:person:1)'],
])('shows a mention by its name alone: %s', (typed, seen) => {
  expect(namedMentions(typed)).toBe(seen)
})
