import type { ChannelLimitsOut, LinkPlace, PostLinkOut } from '@/api/types.gen'
import { cardFiles, type SentFile } from './sent-files'
import { textLength } from './text-length'

/** A post's link, with its place at one network. */
export interface PlacedLink extends PostLinkOut {
  place: LinkPlace
}

type LinkLimits = Pick<ChannelLimitsOut, 'link' | 'card_images' | 'max_images' | 'document' | 'video'>

/** Return where a network shows the link of a post with these files, as the server decides it. */
export function placeLink(link: PostLinkOut | null, files: readonly SentFile[], limits: LinkLimits | undefined): PlacedLink | undefined {
  if (!link || !limits || !addressOf(link.url)) return undefined
  const isCard = limits.link === 'card' || limits.link === 'page_card'
  return { ...link, place: isCard && cardFiles(files, limits) > limits.card_images ? 'below' : limits.link }
}

/** Return the text as sent: with the link below it if the network shows links there. */
export const textWithLink = (text: string, link: PlacedLink | undefined): string =>
  link?.place !== 'below' || hasLink(text, link.url) ? text : `${text.trimEnd()}\n\n${link.url}`

/** Return whether the text contains the address, not just as the start of a longer one. */
function hasLink(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    if (!/^[\p{L}\p{N}_/?#&=%~+-]/u.test(text.slice(at + url.length))) return true
  }
  return false
}

/** Return the typed or pasted text as a web address, if it is one; without a scheme as https. */
export function addressOf(typed: string): URL | undefined {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return undefined
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return url && isWeb && /[^.]\.[^.]/.test(url.hostname) ? url : undefined
}

/** Return whether the text is only a web address with its scheme. */
export const isAddressAlone = (text: string): boolean => /^\s*https?:\/\//i.test(text) && addressOf(text) !== undefined

const MENTION = /@\[([^[\]\n]{1,200})\]\(urn:li:(?:organization|organizationBrand|person|member):[\w-]{1,100}\)/g

/** Return the text with the name alone in place of each mention with a URN, as readers see it. */
export const namedMentions = (text: string): string => text.replace(MENTION, '$1')

/** Return the length of the text that is sent, as its network counts it. */
export const sentLength = (sent: string, limits: Pick<ChannelLimitsOut, 'counting' | 'urn_mentions'> | undefined): number =>
  textLength(limits?.urn_mentions ? sent : namedMentions(sent), limits?.counting)
