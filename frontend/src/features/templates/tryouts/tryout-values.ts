import { channelName, firstChannel } from '@/components/channel'
import type { TopicOut } from '@/api/types.gen'
import { languageFacts, type Language } from '@/i18n/languages'
import { keyOf } from '@/lib/template-segments'

export type Inputs = Record<string, string>

/** The input of a name, whatever its case. */
export function inputOf(inputs: Inputs | undefined, name: string): string | undefined {
  const key = Object.keys(inputs ?? {}).find((candidate) => keyOf(candidate) === keyOf(name))
  return key === undefined ? undefined : inputs?.[key]
}

/** With another value for a name, also where it was written in another case. */
export const withInput = (inputs: Inputs, name: string, value: string): Inputs =>
  Object.fromEntries([...Object.entries(inputs).filter(([candidate]) => keyOf(candidate) !== keyOf(name)), [name, value]])

const englishNames = new Intl.DisplayNames('en', { type: 'language' })

/** What assistants write for `((Language))`: the language's English name. */
export const languageValue = (language: Language) => englishNames.of(language) ?? language

interface Example {
  topic: string
  path: string
  content: string
  brandVoice: string
}

/**
 * Data, not texts of the interface: who writes a German template in the English app gets a German example. Languages
 * without examples have the English ones.
 */
const EXAMPLES: Partial<Record<Language, Example>> & { en: Example } = {
  en: {
    topic: 'Riding to work in the dark',
    path: 'Commuting / Light / Riding to work in the dark',
    content: 'See and be seen\nA light, two reflectors and a bright jacket make the dark way to work a calm one.',
    brandVoice: 'friendly and matter-of-fact',
  },
  de: {
    topic: 'Im Dunkeln zur Arbeit fahren',
    path: 'Pendeln / Licht / Im Dunkeln zur Arbeit fahren',
    content: 'Sehen und gesehen werden\nLicht, zwei Reflektoren und eine helle Jacke machen den dunklen Weg zur Arbeit ruhig.',
    brandVoice: 'freundlich und sachlich',
  },
}

/** As the server writes days into prompts: Sunday, 14 March 2027. */
const shownWeekday = (day: Date, language: Language) => {
  const locale = languageFacts(language).locale
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(day)
  return `${weekday}, ${new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(day)}`
}

interface Circumstances {
  /** Of the template: examples are in its language. */
  language: Language
  tone: string
  now: Date
  /** Of a tree of the person's own, where there is one. */
  ownTopic?: OwnTopic | undefined
}

export interface OwnTopic {
  topic: string
  path: string
}

/** The first topic of a tree that has none below it, with the titles from the root to it. */
export function firstTopic(topics: readonly Pick<TopicOut, 'title' | 'depth' | 'enabled'>[]): OwnTopic | undefined {
  const above: string[] = []
  for (const [index, { title, depth, enabled }] of topics.entries()) {
    above.splice(depth, above.length, title)
    const next = topics[index + 1]
    if (enabled && (!next || next.depth <= depth)) return { topic: title, path: above.join(' / ') }
  }
  return undefined
}

/** Something sensible for what Postloom fills in by itself; nothing for a variable of one's own. */
export function exampleFor(name: string, { language, tone, now, ownTopic }: Circumstances): string {
  const example = EXAMPLES[language] ?? EXAMPLES.en
  switch (keyOf(name)) {
    case 'topic':
      return ownTopic?.topic ?? example.topic
    case 'topic path':
      return ownTopic?.path ?? example.path
    case 'content':
      return example.content
    case 'language':
      return languageValue(language)
    case 'date':
      return shownWeekday(now, language)
    case 'channel':
      return channelName(firstChannel)
    case 'brand voice':
      return tone || example.brandVoice
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
