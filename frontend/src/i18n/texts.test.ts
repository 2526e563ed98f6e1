import { describe, expect, test } from 'vitest'
import { allTexts, allTranslations } from '@/test/texts'
import { defaultLanguage, languages } from './languages'

type Texts = { [key: string]: string | Texts }

/** Return the values and tags of each text by key, such as `posts.status.draft`. */
function slots(texts: Texts, key = ''): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]): [string, string[]][] => {
      if (typeof value !== 'string') return Object.entries(slots(value, `${key}${name}.`))
      return [[key + name, [...(value.match(/\{\{.*?\}\}|<\/?\w+>/g) ?? [])].sort()]]
    }),
  )
}

test.each(languages)('the texts in %s have the keys of the English ones, each with the same values and tags', (language) => {
  expect(slots(allTexts[language])).toEqual(slots(allTexts[defaultLanguage]))
})

test.each(languages)('the texts in %s have a no-break space between a number and its unit', (language) => {
  expect(JSON.stringify(allTexts[language]).match(/(\d|\}\}) (MB|GB|KB|kB|px|ms|s|%|Uhr)(?!\p{L})/gu)).toBeNull()
})

describe('a value', () => {
  const t = allTranslations.en as unknown as (key: string, values?: object) => string

  test('that is missing fails', () => {
    expect(() => t('assistants:deleteQuestion')).toThrow('{{name}} has no value')
    expect(() => t('assistants:deleteQuestion', { name: undefined })).toThrow('{{name}} has no value')
  })

  test('may be empty', () => {
    expect(t('assistants:deleteQuestion', { name: '' })).not.toContain('{{')
  })
})

test('a key without a text stands out', () => {
  expect((allTranslations.en as unknown as (key: string) => string)('posts:nowhere.at.all')).toBe('posts:nowhere.at.all')
})
