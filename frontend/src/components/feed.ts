export type Act = 'like' | 'comment' | 'repost' | 'share' | 'reply' | 'boost' | 'favourite' | 'repostIt' | 'heart'

export interface Feed {
  /** How much of a text it shows before one asks for more. */
  lines: number
  charactersPerLine: number
  more: 'posts:seeMore' | 'posts:seeMoreSpelt'
  /** What its readers can do with a post, in its order. */
  acts: readonly Act[]
  /** Its buttons are signs alone. */
  wordless?: true
  /** Its picture stands above its text, the first one alone, cut to a shape between these (width by height). */
  pictureFirst?: { narrowest: number; widest: number }
}

const usual: Feed = { lines: 3, charactersPerLine: 70, more: 'posts:seeMore', acts: ['like', 'comment', 'repost'] }

/** Where what it takes is short enough. */
const whole: Feed = { ...usual, lines: 60 }

const known: Partial<Record<string, Feed>> = {
  instagram: { lines: 2, charactersPerLine: 62, more: 'posts:seeMore', acts: ['heart', 'comment', 'repost'], wordless: true, pictureFirst: { narrowest: 0.8, widest: 1.91 } },
  facebook: { lines: 5, charactersPerLine: 96, more: 'posts:seeMoreSpelt', acts: ['like', 'comment', 'share'] },
  bluesky: { ...whole, acts: ['reply', 'repostIt', 'heart'] },
  mastodon: { ...whole, acts: ['reply', 'boost', 'favourite'] },
}

/** How a network's feed shows a post. Not beside its icon: its words are loaded where posts are shown. */
export const feedOf = (channel: string): Feed => known[channel] ?? usual
