import type { EditIn, FitIn, PostOut, VariantOut } from '@/api/types.gen'
import { defaultLanguage, isLanguage, type Language } from '@/i18n/languages'
import { addressOf } from '@/lib/post-link'
import { plannedAt, wallTime } from '@/lib/time-zones'

/** Id of the field for the moment when it goes out. */
export const TIME_FIELD = 'composer-time'

type Body = Omit<EditIn, 'version' | 'approved'>

export interface Values extends Pick<PostOut, 'content' | 'account_ids' | 'variants' | 'first_comment' | 'link' | 'tags'> {
  files: { media_id: string; alt: string }[]
  /** What clocks show in `zone` when it goes out, as a field for date and time has it; empty while nobody has said. */
  planned: string
  zone: string
  language: Language
}

/** The keys of the texts that name the fields. */
export const FIELD_NAMES = {
  content: 'posts:composer.text',
  account_ids: 'posts:composer.accounts',
  variants: 'posts:composer.ownTexts',
  files: 'posts:composer.images',
  first_comment: 'posts:composer.firstComment',
  link: 'posts:composer.link.title',
  tags: 'posts:tags',
  planned: 'posts:actions.when',
  zone: 'posts:timeZone',
  language: 'posts:language',
} as const satisfies Record<keyof Values, string>

export const empty = (zone: string, language: Language, at?: Date): Values => ({
  content: '',
  account_ids: [],
  variants: [],
  files: [],
  first_comment: '',
  link: null,
  tags: [],
  planned: at ? wallTime(at, zone) : '',
  zone,
  language,
})

export const valuesOf = (post: PostOut): Values => ({
  content: post.content,
  account_ids: post.account_ids,
  variants: post.variants,
  files: post.files.map(({ media_id, alt }) => ({ media_id, alt })),
  first_comment: post.first_comment,
  link: post.link,
  tags: post.tags,
  planned: post.planned_at ? wallTime(new Date(post.planned_at), post.time_zone) : '',
  zone: post.time_zone,
  language: isLanguage(post.language) ? post.language : defaultLanguage,
})

/** As the server takes it. A time that is as `post` has it keeps its seconds. */
export function bodyOf(values: Values, post?: PostOut): Body {
  const { planned, zone, ...rest } = values
  const same = post?.planned_at && valuesOf(post).planned === planned && post.time_zone === zone
  return { ...rest, planned_at: same ? post.planned_at : (plannedAt(values)?.toISOString() ?? null), time_zone: zone }
}

/** Return what the server checks by the rules of each account. */
export function fitOf(values: Values, post_id: string | null): FitIn {
  const { content, variants, files, account_ids, first_comment, link } = values
  const media_ids = files.map(({ media_id }) => media_id)
  const alts = files.map(({ alt }) => alt)
  const planned_at = plannedAt(values)?.toISOString() ?? null
  // an unfinished address is not sent
  const usable = link && addressOf(link.url) ? link : null
  return { content, variants, media_ids, alts, account_ids, first_comment, link: usable, planned_at, post_id }
}

export const isBlank = ({ content, files, link }: Values): boolean => content.trim() === '' && files.length === 0 && !link

/** Which of its texts an account gets: its own before its channel's; undefined: the common one. */
export const variantFor = (variants: readonly VariantOut[], account: { id: string; kind: string }): number | undefined => {
  const own = variants.findIndex(({ account_id }) => account_id === account.id)
  const channels = variants.findIndex(({ account_id, channel }) => account_id === null && channel === account.kind)
  const found = own >= 0 ? own : channels
  return found >= 0 ? found : undefined
}

export const textFor = (values: Pick<Values, 'content' | 'variants'>, account: { id: string; kind: string }): string => {
  const found = variantFor(values.variants, account)
  return found === undefined ? values.content : (values.variants[found]?.content ?? values.content)
}

/** The server keeps no own text that says the same as the common one: who has just begun one here still wants to write it. */
export function withOwnTexts(saved: PostOut, sent: Values): PostOut {
  const same = (one: VariantOut, other: VariantOut) => one.account_id === other.account_id && one.channel === other.channel
  const begun = sent.variants.filter(
    (one) => one.content === sent.content && !saved.variants.some((other) => same(one, other)),
  )
  if (begun.length === 0) return saved
  // in the order in which their tabs stand
  const order = (one: VariantOut) => sent.variants.findIndex((other) => same(one, other))
  return { ...saved, variants: [...saved.variants, ...begun].sort((one, other) => order(one) - order(other)) }
}
