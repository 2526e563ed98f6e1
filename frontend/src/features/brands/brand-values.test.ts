import { expect, test } from 'vitest'
import type { BrandDraftOut } from '@/api/types.gen'
import { emptyBrand, linkWithUtm, withDraft, withoutEmpty } from './brand-values'

const draft: BrandDraftOut = {
  name: 'Lindhof',
  about: 'A workshop',
  audience: '',
  voice: 'Friendly',
  dos: ['Begin in the workshop'],
  donts: [],
  address: 'formal',
  emoji: 'none',
  hashtags: 'none',
  words_to_use: [],
  words_to_avoid: [],
  facts: [],
  examples: [],
  languages: ['de'],
  accent: '#fdc146',
  model: 'a-model',
  cost_micros: 3,
  currency: 'USD',
}

test('a draft fills fields, and leaves those that it says nothing of', () => {
  const typed = { ...emptyBrand('en'), audience: 'Families', facts: ['Open since 2014'] }
  const values = withDraft(typed, draft, [])
  expect(values).toMatchObject({ name: 'Lindhof', audience: 'Families', facts: ['Open since 2014'], address: 'formal', accent: '#fdc146' })
  expect(Object.keys(values)).toEqual(Object.keys(typed))
})

test('a draft that says nothing of address, emoji and hashtags leaves those that were chosen', () => {
  const typed = { ...emptyBrand('de'), address: 'formal' as const, emoji: 'none' as const, hashtags: 'none' as const }
  const values = withDraft(typed, { ...draft, address: 'any', emoji: null, hashtags: null }, [])
  expect(values).toMatchObject({ address: 'formal', emoji: 'none', hashtags: 'none' })
})

test('the posts that a draft was made of become examples once, with their networks', () => {
  const typed = { ...emptyBrand('en'), examples: [{ text: 'One', network: '' as const }] }
  const posts = [
    { text: 'One', network: '' as const },
    { text: 'Two', network: 'linkedin' as const },
  ]
  const made = { ...draft, examples: posts.map(({ text }) => ({ text, network: '' as const })) }
  expect(withDraft(typed, made, posts).examples).toEqual(posts)
  expect(withDraft(emptyBrand('en'), made, []).examples).toEqual(made.examples)
})

test('empty entries are not sent', () => {
  const values = { ...emptyBrand('en'), name: ' Lindhof ', dos: ['', ' Begin  '], examples: [{ text: ' ', network: '' as const }], utm: { utm_source: '', utm_medium: 'social' } }
  expect(withoutEmpty(values)).toMatchObject({ name: 'Lindhof', dos: ['Begin'], examples: [], utm: { utm_medium: 'social' } })
})

test.each([
  ['https://example.org/', 'https://example.org/?utm_source=linkedin&utm_medium=social%20media'],
  ['https://example.org/a?b=c#d', 'https://example.org/a?b=c&utm_source=linkedin&utm_medium=social%20media#d'],
  ['https://example.org/?utm_source=mine', 'https://example.org/?utm_source=mine&utm_medium=social%20media'],
  ['no address', 'no address'],
  ['mailto:mara@example.org', 'mailto:mara@example.org'],
])('the parameters are added to %s', (link, expected) => {
  expect(linkWithUtm(link, { utm_source: '{network}', utm_medium: 'social media', utm_term: '' }, 'linkedin')).toBe(expected)
})
