import {
  IconBrandBluesky,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandLinkedinFilled,
  IconBrandMastodon,
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
  /** Where its posts are read, where that is called otherwise. */
  site?: string
  icon: Icon
  /** What it calls the account of an organisation, where it has a word of its own. */
  organisation?: 'page' | 'business'
  /** A website of its owner's, which takes articles: no social network. */
  isSite?: boolean
}

const known: Partial<Record<string, ChannelLook>> = {
  linkedin: { name: 'LinkedIn', icon: IconBrandLinkedin, organisation: 'page' },
  linkedin_pages: { name: 'LinkedIn Pages', site: 'LinkedIn', icon: IconBrandLinkedinFilled, organisation: 'page' },
  facebook: { name: 'Facebook', icon: IconBrandFacebook, organisation: 'page' },
  mastodon: { name: 'Mastodon', icon: IconBrandMastodon },
  bluesky: { name: 'Bluesky', icon: IconBrandBluesky },
  instagram: { name: 'Instagram', icon: IconBrandInstagram, organisation: 'business' },
  whatsapp: { name: 'WhatsApp', icon: IconBrandWhatsapp },
  wordpress: { name: 'WordPress', icon: IconBrandWordpress, isSite: true },
  ghost: { name: 'Ghost', icon: IconGhost2, isSite: true },
  webhook: { name: 'Webhook', icon: IconPlug, isSite: true },
  hosted_feed: { name: 'Postloom Feed', icon: IconRss, isSite: true },
}

/** A network added on the server shows by its own name and a plug until it has an icon here. */
const look = (channel: string): ChannelLook => known[channel] ?? { name: channel, icon: IconPlug }

const order: string[] = Object.values(ChannelKind)

/** Those that accounts are connected at and posts go to, in the server's order. */
export const NETWORKS = Object.values(ChannelKind).filter((kind) => !look(kind).isSite)

/** Those that articles go to. */
export const SITES = Object.values(ChannelKind).filter((kind) => look(kind).isSite)

/** What is shown where nobody has chosen a network yet. */
export const firstChannel = Object.keys(known)[0] as ChannelKind

/** It takes articles, and no posts. */
export const isSite = (channel: string): boolean => look(channel).isSite ?? false

export const channelName = (channel: string) => look(channel).name

/** Where what it publishes is read. */
export const siteName = (channel: string) => look(channel).site ?? channelName(channel)

/** Where it goes, as a person says it: a website by its name, else the network. */
export const placeOf = ({ channel, account_name }: { channel: string; account_name: string }): string =>
  isSite(channel) ? account_name : channelName(channel)

/** Where what went out is read. */
export const readAt = ({ channel, account_name }: { channel: string; account_name: string }): string =>
  isSite(channel) ? account_name : siteName(channel)

export const organisationOf = (channel: string) => look(channel).organisation ?? 'organisation'

export function ChannelIcon({ channel, size = 16 }: { channel: string; size?: number }) {
  const { name, icon: Icon } = look(channel)
  return <Icon size={size} stroke={1.9} color={channelColour(channel)} role="img" aria-label={name} />
}

/** Each network once, however many accounts there are on it, and in the same order beside every post. */
export function ChannelIcons({ channels, size = 16 }: { channels: readonly string[]; size?: number }) {
  return (
    <span className="channels">
      {[...new Set(channels)].sort((one, other) => order.indexOf(one) - order.indexOf(other)).map((channel) => (
        <ChannelIcon key={channel} channel={channel} size={size} />
      ))}
    </span>
  )
}

/** The icon on its tint; decorative, since the network's name stands beside it. */
export function ChannelTile({ channel, size = 32 }: { channel: string; size?: number }) {
  const { icon: Icon } = look(channel)
  return (
    <span className="ctile" style={{ width: size, height: size, color: channelColour(channel) }}>
      <Icon size={size * 0.56} stroke={1.9} aria-hidden />
    </span>
  )
}
