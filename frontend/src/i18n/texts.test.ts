import { expect, test } from 'vitest'
import { allTexts } from '@/test/texts'

type Texts = { [key: string]: string | Texts }

/** Each text by its address, such as `errors.bad_time`, reduced to its parameters and tags. */
function slots(texts: Texts, address = ''): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]): [string, string[]][] => {
      if (typeof value !== 'string') return Object.entries(slots(value, `${address}${key}.`))
      return [[address + key, [...(value.match(/\{\{.*?\}\}|<\/?\w+>/g) ?? [])].sort()]]
    }),
  )
}

// that no key is missing is proved by tsc
test('a German text has the parameters of the English one', () => {
  expect(slots(allTexts.de)).toEqual(slots(allTexts.en))
})
