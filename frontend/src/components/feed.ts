interface Feed {
  /** How much of a text it shows before one asks for more. */
  lines: number
  charactersPerLine: number
  more: 'posts.seeMore' | 'posts.seeMoreSpelt'
  share: 'posts.repost' | 'posts.share'
}

const usual: Feed = { lines: 3, charactersPerLine: 70, more: 'posts.seeMore', share: 'posts.repost' }

const known: Partial<Record<string, Feed>> = {
  facebook: { lines: 5, charactersPerLine: 96, more: 'posts.seeMoreSpelt', share: 'posts.share' },
  // shown whole: what they take is short enough
  bluesky: { lines: 60, charactersPerLine: 70, more: 'posts.seeMoreSpelt', share: 'posts.repost' },
  mastodon: { lines: 60, charactersPerLine: 70, more: 'posts.seeMoreSpelt', share: 'posts.share' },
}

/** How a network's feed shows a post. Not beside its icon: its words are loaded where posts are shown. */
export const feedOf = (channel: string): Feed => known[channel] ?? usual
