import type { Address, BrandDraftOut, BrandIn, BrandOut, CardFont, ChannelKind, EmojiUse, HashtagUse, Language } from '@/api/types.gen'
import { MOST_EXAMPLES } from './brand-limits'

/** An earlier post that shows how the brand writes. An empty network fits all. */
export interface Example {
  text: string
  network: ChannelKind | ''
}

/** The values in the editor of a brand, by the API's names. */
export interface BrandValues {
  name: string
  about: string
  audience: string
  languages: Language[]
  voice: string
  address: Address
  emoji: EmojiUse
  hashtags: HashtagUse
  dos: string[]
  donts: string[]
  words_to_use: string[]
  words_to_avoid: string[]
  facts: string[]
  examples: Example[]
  logo_id: string | null
  ground: string | null
  ink: string | null
  accent: string | null
  font: CardFont | null
  utm: Record<string, string>
}

/** The parameters that analytics tools read from a link. */
export const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const

/** In the value of a parameter, replaced by the network's name. */
export const NETWORK_MARK = '{network}'

export const emptyBrand = (language: Language): BrandValues => ({
  name: '',
  about: '',
  audience: '',
  languages: [language],
  voice: '',
  address: 'any',
  emoji: 'sparing',
  hashtags: 'network',
  dos: [],
  donts: [],
  words_to_use: [],
  words_to_avoid: [],
  facts: [],
  examples: [],
  logo_id: null,
  ground: null,
  ink: null,
  accent: null,
  font: null,
  utm: {},
})

export const valuesOf = (brand: BrandOut): BrandValues => {
  const names = Object.keys(emptyBrand('en')) as (keyof BrandValues)[]
  return Object.fromEntries(names.map((name) => [name, brand[name]])) as unknown as BrandValues
}

const filled = (entries: string[]) => entries.map((entry) => entry.trim()).filter(Boolean)

/** Return the values without empty entries, so that the server's errors name the entries that are shown. */
export const withoutEmpty = (values: BrandValues): BrandValues => ({
  ...values,
  name: values.name.trim(),
  dos: filled(values.dos),
  donts: filled(values.donts),
  facts: filled(values.facts),
  examples: values.examples.filter(({ text }) => text.trim() !== ''),
  utm: Object.fromEntries(Object.entries(values.utm).filter(([, value]) => value.trim() !== '')),
})

export const bodyOf = (values: BrandValues): BrandIn => withoutEmpty(values)

/** Return whether a draft says nothing with the value: `any` is no form of address. */
const isUnsaid = (value: unknown) => value === null || value === '' || value === 'any' || (Array.isArray(value) && value.length === 0)

/**
 * Return the values with what a model has drafted. A field that the draft leaves empty stays as it is. The posts that
 * the draft was made of become examples, besides those that are there.
 */
export function withDraft(values: BrandValues, draft: BrandDraftOut, posts: readonly Example[]): BrandValues {
  const said = Object.entries(draft).filter(([name, value]) => name in values && !isUnsaid(value))
  const known = new Set(values.examples.map(({ text }) => text.trim()))
  // of the posts, the network is known here
  const made = posts.length > 0 ? posts : draft.examples
  const examples = [...values.examples, ...made.filter(({ text }) => !known.has(text.trim()))].slice(0, MOST_EXAMPLES)
  return { ...values, ...Object.fromEntries(said), examples }
}

/** Return the link with the parameters, as a post on the network has it. A parameter of the link itself stays. */
export function linkWithUtm(link: string, utm: Record<string, string>, network: string): string {
  const url = URL.parse(link.trim())
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return link
  const added = Object.entries(utm)
    .map(([name, value]) => [name, value.trim().replaceAll(NETWORK_MARK, network)] as const)
    .filter(([name, value]) => value !== '' && !url.searchParams.has(name))
    .map((pair) => pair.map(encodeURIComponent).join('='))
  if (added.length === 0) return link
  // the rest of the address stays as it was typed
  const [address = '', hash] = link.trim().split(/(?=#)/, 2)
  const joint = /[?&]$/.test(address) ? '' : address.includes('?') ? '&' : '?'
  return `${address}${joint}${added.join('&')}${hash ?? ''}`
}
