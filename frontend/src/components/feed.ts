export type Act = 'like' | 'comment' | 'repost' | 'share' | 'reply' | 'boost' | 'favourite' | 'repostIt' | 'heart'

export interface Feed {
  /** Lines of text shown before "see more". */
  lines: number
  charactersPerLine: number
  more: 'posts:seeMore' | 'posts:seeMoreSpelt'
  /** Buttons below a post, in the network's order. */
  acts: readonly Act[]
  /** The buttons are only icons. */
  wordless?: true
  /** The first picture is above the text, cropped to a ratio (width / height) between these; others are not shown. */
  pictureFirst?: { narrowest: number; widest: number }
}

const usual: Feed = { lines: 3, charactersPerLine: 70, more: 'posts:seeMore', acts: ['like', 'comment', 'repost'] }

/** For networks whose texts are short enough to be shown whole. */
const whole: Feed = { ...usual, lines: 60 }

const known: Partial<Record<string, Feed>> = {
  instagram: { lines: 2, charactersPerLine: 62, more: 'posts:seeMore', acts: ['heart', 'comment', 'repost'], wordless: true, pictureFirst: { narrowest: 0.8, widest: 1.91 } },
  facebook: { lines: 5, charactersPerLine: 96, more: 'posts:seeMoreSpelt', acts: ['like', 'comment', 'share'] },
  bluesky: { ...whole, acts: ['reply', 'repostIt', 'heart'] },
  mastodon: { ...whole, acts: ['reply', 'boost', 'favourite'] },
}

/** Return how a network's feed shows a post. Separate from the icons, because its texts are only loaded with posts. */
export const feedOf = (channel: string): Feed => known[channel] ?? usual
