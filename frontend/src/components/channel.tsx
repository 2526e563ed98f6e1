import {
  IconBrandBluesky,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandLinkedinFilled,
  IconBrandMastodon,
  IconBrandThreads,
  IconBrandWhatsapp,
  IconBrandWordpress,
  IconGhost2,
  IconPlug,
  IconRss,
  type Icon,
} from '@tabler/icons-react'
import { ChannelKind } from '@/api/types.gen'
import { channelColour } from '@/lib/colours'

interface ChannelLook {
  name: string
  /** The name of the site that shows its posts, if different. */
  site?: string
  icon: Icon
  /** The network's own word for an organisation's account. */
  organisation?: 'page' | 'business'
  /** A website of the user, which takes articles: not a social network. */
  isSite?: boolean
}

/** WhatsApp is announced, but cannot be connected yet. */
const LOOKS: Record<ChannelKind | 'whatsapp', ChannelLook> = {
  linkedin: { name: 'LinkedIn', icon: IconBrandLinkedin, organisation: 'page' },
  linkedin_pages: { name: 'LinkedIn Pages', site: 'LinkedIn', icon: IconBrandLinkedinFilled, organisation: 'page' },
  facebook: { name: 'Facebook', icon: IconBrandFacebook, organisation: 'page' },
  mastodon: { name: 'Mastodon', icon: IconBrandMastodon },
  bluesky: { name: 'Bluesky', icon: IconBrandBluesky },
  instagram: { name: 'Instagram', icon: IconBrandInstagram, organisation: 'business' },
  threads: { name: 'Threads', icon: IconBrandThreads },
  whatsapp: { name: 'WhatsApp', icon: IconBrandWhatsapp },
  wordpress: { name: 'WordPress', icon: IconBrandWordpress, isSite: true },
  ghost: { name: 'Ghost', icon: IconGhost2, isSite: true },
  webhook: { name: 'Webhook', icon: IconPlug, isSite: true },
  hosted_feed: { name: 'Postloom Feed', icon: IconRss, isSite: true },
}

/** Return the look of a network; an unknown one, added on the server, has its own name and a plug icon. */
const look = (channel: string): ChannelLook =>
  (LOOKS as Partial<Record<string, ChannelLook>>)[channel] ?? { name: channel, icon: IconPlug }

const order: string[] = Object.values(ChannelKind)

/** Social networks, which have accounts and posts, in the server's order. */
export const NETWORKS = Object.values(ChannelKind).filter((kind) => !look(kind).isSite)

/** Kinds of website, which take articles. */
export const SITES = Object.values(ChannelKind).filter((kind) => look(kind).isSite)

/** The network shown before one is chosen. */
export const firstChannel = Object.keys(LOOKS)[0] as ChannelKind

/** Return whether the channel takes articles instead of posts. */
export const isSite = (channel: string): boolean => look(channel).isSite ?? false

export const channelName = (channel: string) => look(channel).name

/** Return the name of an account with its network, since one name may be in use at several. */
export const accountName = ({ name, kind }: { name: string; kind: string }) => `${name} (${channelName(kind)})`

/** Return the name of the site that shows the channel's posts. */
export const siteName = (channel: string) => look(channel).site ?? channelName(channel)

/** Return the name of a delivery's destination: of a website its name, else the network's. */
export const placeOf = ({ channel, account_name }: { channel: string; account_name: string }): string =>
  isSite(channel) ? account_name : channelName(channel)

/** Return where a published delivery is read: of a website its name, else the network's site. */
export const readAt = ({ channel, account_name }: { channel: string; account_name: string }): string =>
  isSite(channel) ? account_name : siteName(channel)

export const organisationOf = (channel: string) => look(channel).organisation ?? 'organisation'

export function ChannelIcon({ channel, size = 16 }: { channel: string; size?: number }) {
  const { name, icon: Icon } = look(channel)
  return <Icon size={size} stroke={1.9} color={channelColour(channel)} role="img" aria-label={name} />
}

/** Icons of the networks, each once even with several accounts, always in the same order; beyond `most`, their number. */
export function ChannelIcons({ channels, size = 16, most = Infinity }: { channels: readonly string[]; size?: number; most?: number }) {
  const sorted = [...new Set(channels)].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  // "+1" is as wide as an icon
  const shown = sorted.length > most + 1 ? sorted.slice(0, most) : sorted
  const more = sorted.length - shown.length
  return (
    <span className="channels">
      {shown.map((channel) => (
        <ChannelIcon key={channel} channel={channel} size={size} />
      ))}
      {more > 0 && <small>{`+${more}`}</small>}
    </span>
  )
}

/** The icon on a tinted tile; decorative, since the network's name is next to it. */
export function ChannelTile({ channel, size = 32 }: { channel: string; size?: number }) {
  const { icon: Icon } = look(channel)
  return (
    <span className="ctile" style={{ width: size, height: size, color: channelColour(channel) }}>
      <Icon size={size * 0.56} stroke={1.9} aria-hidden />
    </span>
  )
}
