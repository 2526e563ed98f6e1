export type FeedButton = 'like' | 'comment' | 'repost' | 'share' | 'reply' | 'boost' | 'favourite' | 'repostIt' | 'heart'

export interface PreviewFeed {
  /** Lines of text shown before "see more". */
  lines: number
  charactersPerLine: number
  more: 'posts:seeMore' | 'posts:seeMoreSpelt'
  /** Buttons below a post, in the network's order. */
  buttons: readonly FeedButton[]
  /** The buttons are only icons. */
  wordless?: true
  /** The first picture is above the text, cropped to a ratio (width / height) between these; others are not shown. */
  pictureFirst?: { narrowest: number; widest: number }
}

const DEFAULT_FEED: PreviewFeed = { lines: 3, charactersPerLine: 70, more: 'posts:seeMore', buttons: ['like', 'comment', 'repost'] }

/** For networks whose texts are short enough to be shown uncut. */
const UNCUT_FEED: PreviewFeed = { ...DEFAULT_FEED, lines: 60 }

/** Feeds that differ from the default one, by network. */
const NETWORK_FEEDS: Partial<Record<string, PreviewFeed>> = {
  instagram: { lines: 2, charactersPerLine: 62, more: 'posts:seeMore', buttons: ['heart', 'comment', 'repost'], wordless: true, pictureFirst: { narrowest: 0.8, widest: 1.91 } },
  facebook: { lines: 5, charactersPerLine: 96, more: 'posts:seeMoreSpelt', buttons: ['like', 'comment', 'share'] },
  threads: { ...UNCUT_FEED, lines: 7, charactersPerLine: 50, buttons: ['heart', 'comment', 'repost', 'share'], wordless: true },
  bluesky: { ...UNCUT_FEED, buttons: ['reply', 'repostIt', 'heart'] },
  mastodon: { ...UNCUT_FEED, buttons: ['reply', 'boost', 'favourite'] },
}

/** Return how a network's feed shows a post. Separate from the icons, because its texts are only loaded with posts. */
export const feedOf = (channel: string): PreviewFeed => NETWORK_FEEDS[channel] ?? DEFAULT_FEED
