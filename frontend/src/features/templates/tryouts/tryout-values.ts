import { channelName, firstChannel } from '@/components/channel'
import type { TopicOut } from '@/api/types.gen'
import { languageFacts, type Language } from '@/i18n/languages'
import { keyOf } from '@/lib/template-segments'

export type Inputs = Record<string, string>

/** Return the input of a name, ignoring case. */
export function inputOf(inputs: Inputs | undefined, name: string): string | undefined {
  const key = Object.keys(inputs ?? {}).find((candidate) => keyOf(candidate) === keyOf(name))
  return key === undefined ? undefined : inputs?.[key]
}

/** Return the inputs with a new value for a name, ignoring case. */
export const withInput = (inputs: Inputs, name: string, value: string): Inputs =>
  Object.fromEntries([...Object.entries(inputs).filter(([candidate]) => keyOf(candidate) !== keyOf(name)), [name, value]])

const englishNames = new Intl.DisplayNames('en', { type: 'language' })

/** Return the value of `((Language))` in runs: the language's English name. */
export const languageValue = (language: Language) => englishNames.of(language) ?? language

interface Example {
  topic: string
  path: string
  content: string
  /** A post with enough sentences for the pages of a carousel. */
  post: string
  brandVoice: string
}

/** Examples by the template's language, not the interface's. Languages without examples use the English ones. */
const EXAMPLES: Partial<Record<Language, Example>> & { en: Example } = {
  en: {
    topic: 'Riding to work in the dark',
    path: 'Commuting / Light / Riding to work in the dark',
    content: 'See and be seen\nA light, two reflectors and a bright jacket make the dark way to work a calm one.',
    post: [
      'Riding to work in the dark is calm once you are seen.',
      'Set your front light a little lower. It shows more of the road and blinds nobody.',
      'Wear one thing that reflects. A strip at the ankle moves, and what moves is noticed first.',
      'Charge the lights on Sunday. Two evenings a week are enough for most of them.',
      'Which part of your way is the darkest?',
    ].join('\n\n'),
    brandVoice: 'friendly and matter-of-fact',
  },
  de: {
    topic: 'Im Dunkeln zur Arbeit fahren',
    path: 'Pendeln / Licht / Im Dunkeln zur Arbeit fahren',
    content: 'Sehen und gesehen werden\nLicht, zwei Reflektoren und eine helle Jacke machen den dunklen Weg zur Arbeit ruhig.',
    post: [
      'Im Dunkeln zur Arbeit zu fahren ist ruhig, sobald man dich sieht.',
      'Stell dein Vorderlicht etwas tiefer. Es zeigt mehr von der Straße und blendet niemanden.',
      'Trag etwas, das reflektiert. Ein Band am Knöchel bewegt sich, und was sich bewegt, fällt zuerst auf.',
      'Lade die Lichter am Sonntag. Zwei Abende in der Woche reichen den meisten.',
      'Welcher Teil deines Wegs ist der dunkelste?',
    ].join('\n\n'),
    brandVoice: 'freundlich und sachlich',
  },
}

/** Return a day as the server writes it into prompts: Sunday, 14 March 2027. */
const shownWeekday = (day: Date, language: Language) => {
  const locale = languageFacts(language).locale
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(day)
  return `${weekday}, ${new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(day)}`
}

interface Circumstances {
  /** The template's language, for the examples. */
  language: Language
  tone: string
  now: Date
  /** A topic of the user's own tree, if any. */
  ownTopic?: OwnTopic | undefined
  isCarousel?: boolean
}

export interface OwnTopic {
  topic: string
  path: string
}

/** Return the first topic without children, with the titles from the root to it. */
export function firstTopic(topics: readonly Pick<TopicOut, 'title' | 'depth' | 'enabled'>[]): OwnTopic | undefined {
  const above: string[] = []
  for (const [index, { title, depth, enabled }] of topics.entries()) {
    above.splice(depth, above.length, title)
    const next = topics[index + 1]
    if (enabled && (!next || next.depth <= depth)) return { topic: title, path: above.join(' / ') }
  }
  return undefined
}

/** Return an example for a variable that Postloom fills in; empty for other variables. */
export function exampleFor(name: string, { language, tone, now, ownTopic, isCarousel }: Circumstances): string {
  const example = EXAMPLES[language] ?? EXAMPLES.en
  switch (keyOf(name)) {
    case 'topic':
      return ownTopic?.topic ?? example.topic
    case 'topic path':
      return ownTopic?.path ?? example.path
    case 'content':
      return isCarousel ? example.post : example.content
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

/** Return the variables that a try-out asks for: a carousel divides the content, whether its cover shows it or not. */
export const triedVariables = (variables: readonly string[], isCarousel: boolean): readonly string[] =>
  isCarousel && !variables.some((name) => keyOf(name) === 'content') ? [...variables, 'Content'] : variables

/** Return the value of each variable: typed, else from the last try-out, else an example. */
export function inputsFor(
  names: readonly string[],
  typed: Inputs,
  last: Inputs | undefined,
  example: (name: string) => string,
): Inputs {
  return Object.fromEntries(names.map((name) => [name, inputOf(typed, name) ?? inputOf(last, name) ?? example(name)]))
}
