import { TemplateInSchema } from '@/api/schemas.gen'
import { PostFact, PostSort, PostSource, PostStatus } from '@/api/types.gen'
import type { ChannelKind, ListPostsData } from '@/api/types.gen'
import { NETWORKS } from '@/components/channel'
import { LONGEST_SEARCH } from '@/components/search-field'
import { dayStart, validDay, dayEnd } from '@/lib/day-span'
import { validId } from '@/lib/url-filters'

/** The filters of the list, as in the URL. */
export interface PostFilters {
  search: string
  statuses: PostStatus[]
  facts: PostFact[]
  /** Only posts that wait for the user, for any reason. */
  waiting: boolean
  /** Whether the list also contains articles. */
  articlesToo: boolean
  channels: ChannelKind[]
  account: string | null
  assistant: string | null
  source: PostSource | null
  tag: string | null
  /** Days of the user's calendar, both included: `2026-11-21`. */
  from: string | null
  to: string | null
  sort: PostSort
}

/** Write filters to the URL; null removes one. */
export type Change = (changes: Record<string, string | null>) => void

const MAX_TAG = TemplateInSchema.properties.tags.items.maxLength

export const STATUSES = Object.values(PostStatus)
export const FACTS = Object.values(PostFact)
export const SOURCES = Object.values(PostSource)
export const SORTS = Object.values(PostSort)

/** Return the filters in the URL; unknown values are ignored. */
export function readFilters(filter: (name: string) => string): PostFilters {
  return {
    search: filter('search').slice(0, LONGEST_SEARCH),
    statuses: several(STATUSES, filter('status')),
    facts: several(FACTS, filter('state')),
    waiting: filter('waiting') !== '',
    articlesToo: filter('articles') === 'too',
    channels: several(NETWORKS, filter('channel')),
    account: validId(filter('account')),
    assistant: validId(filter('assistant')),
    source: SOURCES.find((option) => option === filter('source')) ?? null,
    tag: filter('tag').length <= MAX_TAG ? filter('tag') || null : null,
    from: validDay(filter('from')),
    to: validDay(filter('to')),
    sort: SORTS.find((option) => option === filter('sort')) ?? PostSort.PLANNED_NEXT,
  }
}

/** Return the filters as the API's query; days begin and end in the user's time zone. */
export function asQuery(filters: PostFilters, timeZone: string): NonNullable<ListPostsData['query']> {
  return {
    search: filters.search,
    status: listOrUndefined(filters.statuses),
    state: listOrUndefined(filters.facts),
    waiting: filters.waiting || undefined,
    articles_too: filters.articlesToo || undefined,
    channel: listOrUndefined(filters.channels),
    account_id: filters.account ?? undefined,
    assistant_id: filters.assistant ?? undefined,
    source: filters.source ?? undefined,
    tag: filters.tag ?? undefined,
    planned_from: dayStart(filters.from, timeZone),
    planned_before: dayEnd(filters.to, timeZone),
    sort: filters.sort,
  }
}

/** Return the number of active filters in the drawer. */
export const inDrawer = ({ facts, waiting, channels, account, assistant, source, from, to }: PostFilters): number =>
  [facts.length > 0, waiting, channels.length > 0, account, assistant, source, from, to].filter(Boolean).length

export const narrows = (filters: PostFilters): boolean =>
  filters.search !== '' || filters.statuses.length > 0 || filters.tag !== null || inDrawer(filters) > 0

/** The changes that remove all filters from the URL, but not the order and the kinds of posts. */
export const NO_FILTERS = Object.fromEntries(
  ['search', 'status', 'state', 'waiting', 'channel', 'account', 'assistant', 'source', 'tag', 'from', 'to'].map((name) => [name, null]),
)

/** Return the URL parameter of several values, such as `draft,failed`; null without values. */
export const joined = (values: readonly string[]) => values.join(',') || null

/** Return the chosen values with `value` added or removed, in the order of `options`. */
export const toggled = <Value>(options: readonly Value[], chosen: readonly Value[], value: Value): Value[] =>
  options.filter((option) => (option === value) !== chosen.includes(option))

const several = <Value extends string>(options: readonly Value[], text: string): Value[] => {
  const words = text.split(',')
  return options.filter((option) => words.includes(option))
}

const listOrUndefined = <Value>(values: Value[]) => (values.length > 0 ? values : undefined)
