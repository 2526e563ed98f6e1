import type { TFunction } from 'i18next'
import type { Language } from '@/i18n/languages'
import { keyOf } from '@/lib/template-segments'

export type Inputs = Record<string, string>

/** The input of a name, whatever its case. */
export function inputOf(inputs: Inputs | undefined, name: string): string | undefined {
  const found = Object.keys(inputs ?? {}).find((other) => keyOf(other) === keyOf(name))
  return found === undefined ? undefined : inputs?.[found]
}

/** With another value for a name, also where it was written in another case. */
export const withInput = (inputs: Inputs, name: string, value: string): Inputs =>
  Object.fromEntries([...Object.entries(inputs).filter(([other]) => keyOf(other) !== keyOf(name)), [name, value]])

/** What assistants write for `((Language))`. */
export const LANGUAGE_VALUES: Record<Language, string> = { en: 'English', de: 'German' }

interface Circumstances {
  /** Of the template: examples are in its language. */
  language: Language
  tone: string
  now: Date
}

/** Something sensible for what Postloom fills in by itself; nothing for a variable of one's own. */
export function exampleFor(t: TFunction, name: string, { language, tone, now }: Circumstances): string {
  const inIts = { lng: language }
  switch (keyOf(name)) {
    case 'topic':
      return t('templates.tryout.examples.topic', inIts)
    case 'topic path':
      return t('templates.tryout.examples.topicPath', inIts)
    case 'content':
      return t('templates.tryout.examples.content', inIts)
    case 'language':
      return LANGUAGE_VALUES[language]
    case 'date':
      return now.toISOString().slice(0, 10)
    case 'channel':
      return 'LinkedIn'
    case 'brand voice':
      return tone || t('templates.tryout.examples.brandVoice', inIts)
    default:
      return ''
  }
}

/** For each variable what was typed; else what the last try had; else an example. */
export function inputsFor(
  names: readonly string[],
  typed: Inputs,
  last: Inputs | undefined,
  example: (name: string) => string,
): Inputs {
  return Object.fromEntries(names.map((name) => [name, inputOf(typed, name) ?? inputOf(last, name) ?? example(name)]))
}
