import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTranslation, type TextName, type Texts } from './translate'

const texts: Texts = {
  posts: {
    count_one: '{{count, number}} post',
    count_other: '{{count, number}} posts',
    waiting_zero: 'nothing waits',
    waiting_one: 'one post waits',
    waiting_other: '{{count}} posts wait',
    title: 'Post of {{name}}',
    status: { draft: 'Draft' },
  },
}
const said = (language: 'en' | 'de', ...[name, values]: [string | string[], Record<string, unknown>?]) =>
  createTranslation(language, () => texts).t(name as TextName, values)

describe('a text', () => {
  test('is found by its place, and told by its name where it is missing', () => {
    expect(said('en', 'posts.status.draft')).toBe('Draft')
    expect(['posts.status', 'posts.status.draft.more', 'nowhere.at.all'].map((name) => said('en', name))).toEqual(['posts.status', 'posts.status.draft.more', 'nowhere.at.all'])
  })

  test('is the first that there is, else the last name, else what was given for that', () => {
    expect(said('en', ['posts.status.gone', 'posts.status.draft'])).toBe('Draft')
    expect(said('en', ['posts.a', 'posts.b'])).toBe('posts.b')
    expect(said('en', 'posts.a', { defaultValue: 'None' })).toBe('None')
  })

  test.each([
    ['en', 'posts.count', 1, '1 post'],
    ['en', 'posts.count', 0, '0 posts'],
    ['en', 'posts.count', 1.5, '1.5 posts'],
    ['de', 'posts.count', 12_345, '12.345 posts'],
    ['en', 'posts.waiting', 0, 'nothing waits'],
    ['en', 'posts.waiting', 1, 'one post waits'],
    ['en', 'posts.waiting', 1200, '1200 posts wait'],
    ['en', 'posts.status.draft', 3, 'Draft'],
  ] as const)('in %s, %s for %d is %j', (language, name, count, sentence) => {
    expect(said(language, name, { count })).toBe(sentence)
  })

  test('says nothing where a value is missing', () => {
    expect(said('en', 'posts.title')).toBe('Post of ')
    expect(said('en', 'posts.title', { name: null })).toBe('Post of ')
  })

  test('holds what people wrote as they wrote it', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(said('en', 'posts.title', { name })).toBe(`Post of ${name}`)
      }),
    )
    expect(said('en', 'posts.title', { name: '$& {{count}} <b>', count: 2 })).toBe('Post of $& {{count}} <b>')
  })
})
