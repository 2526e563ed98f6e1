import type { ChannelLimitsOut, LinkPlace, PostLinkOut } from '@/api/types.gen'

/** A post's link, with what becomes of it at one network. */
export interface PlacedLink extends PostLinkOut {
  place: LinkPlace
}

type LinkLimits = Pick<ChannelLimitsOut, 'link' | 'card_images'>

/** Return where a network shows the link of a post with that many images, as the server decides it. */
export function placeLink(link: PostLinkOut | null, images: number, limits: LinkLimits | undefined): PlacedLink | undefined {
  if (!link || !limits || !addressOf(link.url)) return undefined
  const isCard = limits.link === 'card' || limits.link === 'page_card'
  return { ...link, place: isCard && images > limits.card_images ? 'below' : limits.link }
}

/** Return the text as it is sent: with the link below it, where the network shows it there. */
export const textWithLink = (text: string, link: PlacedLink | undefined): string =>
  link?.place !== 'below' || hasLink(text, link.url) ? text : `${text.trimEnd()}\n\n${link.url}`

/** Whether the address stands in the text, not as the beginning of a longer one. */
function hasLink(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    if (!/^[\p{L}\p{N}_/?#&=%~+-]/u.test(text.slice(at + url.length))) return true
  }
  return false
}

/** What a person typed or pasted as an address of the web, if it is one; without a scheme it is https. */
export function addressOf(typed: string): URL | undefined {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return undefined
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return url && isWeb && /[^.]\.[^.]/.test(url.hostname) ? url : undefined
}

/** One address with its scheme and nothing else. */
export const isAddressAlone = (text: string): boolean => /^\s*https?:\/\//i.test(text) && addressOf(text) !== undefined
