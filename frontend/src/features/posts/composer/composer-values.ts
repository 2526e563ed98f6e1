import type { ComposedFileIn, EditIn, FitIn, PostOut, VariantOut } from '@/api/types.gen'
import { defaultLanguage, isLanguage, type Language } from '@/i18n/languages'
import { addressOf } from '@/lib/post-link'
import { plannedAt, wallTime } from '@/lib/time-zones'

/** Id of the field for the time of publishing. */
export const TIME_FIELD = 'composer-time'

type Body = Omit<EditIn, 'version' | 'approved'>

export interface Values extends Pick<PostOut, 'content' | 'account_ids' | 'variants' | 'first_comment' | 'link' | 'tags'> {
  files: Required<ComposedFileIn>[]
  /** The time of publishing in `zone`, in the format of `datetime-local`; empty if not set. */
  planned: string
  zone: string
  language: Language
}

/** The keys of the texts that name the fields. */
export const FIELD_NAMES = {
  content: 'posts:composer.text',
  account_ids: 'posts:composer.accounts',
  variants: 'posts:composer.ownTexts',
  files: 'posts:composer.files',
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
  files: post.files.map(({ media_id, alt, title, cover_id }) => ({ media_id, alt, title, cover_id })),
  first_comment: post.first_comment,
  link: post.link,
  tags: post.tags,
  planned: post.planned_at ? wallTime(new Date(post.planned_at), post.time_zone) : '',
  zone: post.time_zone,
  language: isLanguage(post.language) ? post.language : defaultLanguage,
})

/** Return a file of the library as a file of the post. */
export const asFile = (media_id: string, alt = ''): Values['files'][number] => ({ media_id, alt, title: '', cover_id: null })

/** Return the request's body. If the time equals that of `post`, keep the seconds of `post`. */
export function bodyOf(values: Values, post?: PostOut): Body {
  const { planned, zone, ...rest } = values
  const isUnchanged = post?.planned_at && valuesOf(post).planned === planned && post.time_zone === zone
  return { ...rest, planned_at: isUnchanged ? post.planned_at : (plannedAt(values)?.toISOString() ?? null), time_zone: zone }
}

/** Return what the server checks by the rules of each account. */
export function fitOf(values: Values, post_id: string | null): FitIn {
  const { content, variants, files, account_ids, first_comment, link } = values
  const media_ids = files.map(({ media_id }) => media_id)
  const alts = files.map(({ alt }) => alt)
  const titles = files.map(({ title }) => title)
  const planned_at = plannedAt(values)?.toISOString() ?? null
  // an unfinished address is not sent
  const usable = link && addressOf(link.url) ? link : null
  return { content, variants, media_ids, alts, titles, account_ids, first_comment, link: usable, planned_at, post_id }
}

export const isBlank = ({ content, files, link }: Values): boolean => content.trim() === '' && files.length === 0 && !link

/**
 * Return the index of the account's text in `variants`: its own before its channel's; undefined for the common text.
 */
export const variantFor = (variants: readonly VariantOut[], account: { id: string; kind: string }): number | undefined => {
  const accountIndex = variants.findIndex(({ account_id }) => account_id === account.id)
  const channelIndex = variants.findIndex(({ account_id, channel }) => account_id === null && channel === account.kind)
  const index = accountIndex >= 0 ? accountIndex : channelIndex
  return index >= 0 ? index : undefined
}

export const textFor = (values: Pick<Values, 'content' | 'variants'>, account: { id: string; kind: string }): string => {
  const index = variantFor(values.variants, account)
  return index === undefined ? values.content : (values.variants[index]?.content ?? values.content)
}

/**
 * Return the saved post with the new own texts that still equal the common text: the server does not keep them, but the
 * user has just begun to write them.
 */
export function withOwnTexts(saved: PostOut, sent: Values): PostOut {
  const isSameTarget = (a: VariantOut, b: VariantOut) => a.account_id === b.account_id && a.channel === b.channel
  const newVariants = sent.variants.filter(
    (variant) => variant.content === sent.content && !saved.variants.some((savedVariant) => isSameTarget(variant, savedVariant)),
  )
  if (newVariants.length === 0) return saved
  // in the order of their tabs
  const order = (variant: VariantOut) => sent.variants.findIndex((sentVariant) => isSameTarget(variant, sentVariant))
  return { ...saved, variants: [...saved.variants, ...newVariants].sort((a, b) => order(a) - order(b)) }
}
