import { describe, expect, test } from 'vitest'
import { allTexts, allTranslations } from '@/test/texts'
import { languages, type Language } from './languages'

type Texts = { [key: string]: string | Texts }

/** All texts by key, such as `common:unsavedChanges_one`. */
const flat = (texts: Texts, address = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[address + key, value]] : flat(value, `${address}${key}.`),
  )

const textsOf = (language: Language) =>
  Object.entries(allTexts[language]).flatMap(([namespace, texts]) => flat(texts, `${namespace}:`))
const all: Record<Language, [string, string][]> = { en: textsOf('en'), de: textsOf('de') }
/** The plural forms of the two languages; without `_many`, which ends an error code. */
const FORM = /_(zero|one|other)$/

const texts = allTranslations

/** Return the names of the values in the forms of a text. */
const slotsOf = (known: [string, string][], address: string) =>
  known.filter(([name]) => name.replace(FORM, '') === address).flatMap(([, text]) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))

describe.each(languages)('the texts in %s', (language) => {
  const addresses = new Set(all[language].map(([address]) => address))
  const counted = [...new Set([...addresses].filter((address) => FORM.test(address)).map((address) => address.replace(FORM, '')))]

  test('have both forms wherever they have one', () => {
    const lacking = counted.filter((address) => !addresses.has(`${address}_one`) || !addresses.has(`${address}_other`))
    expect(lacking).toEqual([])
  })

  test('choose their form by the count', () => {
    const t = texts[language]
    for (const address of counted) {
      const values = Object.fromEntries(slotsOf(all[language], address).map((name) => [name, 7]))
      const say = (count: number) => t(address as 'unsavedChanges', { ...values, count })
      const [one, other] = [`${address}_one`, `${address}_other`].map((key) => all[language].find(([known]) => known === key)?.[1])
      // a form without the count is a fixed text
      if (one && !one.includes('{{')) expect(say(1), address).toBe(one)
      if (other && !other.includes('{{')) expect(say(7), address).toBe(other)
      expect(say(7), address).not.toContain('{{count')
    }
  })

  test('are never empty, and begin and end with no space', () => {
    expect(all[language].filter(([, text]) => text.trim() !== text || text === '')).toEqual([])
  })

  test('close every tag that they open', () => {
    const tags = (text: string) => [...text.matchAll(/<(\/?)(\w+)>/g)].map(([, end = '', name = '']) => `${end}${name}`)
    for (const [address, text] of all[language]) {
      const open: string[] = []
      for (const tag of tags(text)) {
        if (tag.startsWith('/')) expect(open.pop(), address).toBe(tag.slice(1))
        else open.push(tag)
      }
      expect(open, address).toEqual([])
    }
  })

  test('have no parameter that was opened and not closed', () => {
    for (const [address, text] of all[language]) expect(text.replaceAll(/\{\{\w+(, number)?\}\}/g, ''), address).not.toMatch(/[{}]/)
  })

  test('have no three dots for one sign, and no straight quotes', () => {
    expect(all[language].filter(([, text]) => text.includes('...') || text.includes('"'))).toEqual([])
  })
})

test('numbers in texts are written as the language does', () => {
  expect(texts.en('dashboard:posts', { count: 12_345 })).toBe('12,345 posts in total')
  expect(texts.de('dashboard:posts', { count: 12_345 })).toMatch(/^12\.345 /)
})

test('what people wrote stands in texts as they wrote it', () => {
  const name = '<b>“Tips” & ((tricks))</b> $t(common.save) {{count}}'
  expect(texts.en('assistants:deleteQuestion', { name })).toContain('<b>“Tips” & ((tricks))</b>')
})

test('people are addressed as du', () => {
  const formal = all.de.filter(([, text]) => /\b(Ihnen|Ihre[mnrs]?|Sie haben|Sie können|haben Sie|können Sie|geben Sie)\b/.test(text))
  // "Ihre" at the beginning of a sentence can also refer to a thing
  expect(formal.filter(([, text]) => /\b(Ihnen|Sie haben|Sie können|haben Sie|können Sie|geben Sie)\b/.test(text)).map(([address]) => address)).toEqual([])
})
