import { TemplateInSchema } from '@/api/schemas.gen'
import { PostFact, PostSort, PostSource, PostStatus } from '@/api/types.gen'
import type { ChannelKind, ListPostsData } from '@/api/types.gen'
import { NETWORKS } from '@/components/channel'
import { LONGEST_SEARCH } from '@/components/search-field'
import { dayStart, validDay, dayEnd } from '@/lib/day-span'
import { validId } from '@/lib/url-filters'

/** What the list shows, as the address has it. */
export interface PostFilters {
  search: string
  statuses: PostStatus[]
  facts: PostFact[]
  /** Only what waits for a person, for whichever reason. */
  waiting: boolean
  /** Articles are in the list, too. */
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

/** Writes filters into the address; null takes one out. */
export type Change = (changes: Record<string, string | null>) => void

const MAX_TAG = TemplateInSchema.properties.tags.items.maxLength

export const STATUSES = Object.values(PostStatus)
export const FACTS = Object.values(PostFact)
export const SOURCES = Object.values(PostSource)
export const SORTS = Object.values(PostSort)

/** Values that nobody knows count as none. */
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
    source: SOURCES.find((known) => known === filter('source')) ?? null,
    tag: filter('tag').length <= MAX_TAG ? filter('tag') || null : null,
    from: validDay(filter('from')),
    to: validDay(filter('to')),
    sort: SORTS.find((known) => known === filter('sort')) ?? PostSort.PLANNED_NEXT,
  }
}

/** The same for the server: a day begins and ends as the user's clocks say. */
export function asQuery(filters: PostFilters, timeZone: string): NonNullable<ListPostsData['query']> {
  return {
    search: filters.search,
    status: some(filters.statuses),
    state: some(filters.facts),
    waiting: filters.waiting || undefined,
    articles_too: filters.articlesToo || undefined,
    channel: some(filters.channels),
    account_id: filters.account ?? undefined,
    assistant_id: filters.assistant ?? undefined,
    source: filters.source ?? undefined,
    tag: filters.tag ?? undefined,
    planned_from: dayStart(filters.from, timeZone),
    planned_before: dayEnd(filters.to, timeZone),
    sort: filters.sort,
  }
}

/** How many filters of the drawer narrow the list. */
export const inDrawer = ({ facts, waiting, channels, account, assistant, source, from, to }: PostFilters): number =>
  [facts.length > 0, waiting, channels.length > 0, account, assistant, source, from, to].filter(Boolean).length

export const narrows = (filters: PostFilters): boolean =>
  filters.search !== '' || filters.statuses.length > 0 || filters.tag !== null || inDrawer(filters) > 0

/** Takes all filters out of the address, not the order, nor what kinds are listed. */
export const NO_FILTERS = Object.fromEntries(
  ['search', 'status', 'state', 'waiting', 'channel', 'account', 'assistant', 'source', 'tag', 'from', 'to'].map((name) => [name, null]),
)

/** As the address has several: `draft,failed`. None needs no word. */
export const joined = (values: readonly string[]) => values.join(',') || null

/** With it where it was missing, else without it; in their own order. */
export const toggled = <Value>(known: readonly Value[], chosen: readonly Value[], value: Value): Value[] =>
  known.filter((one) => (one === value) !== chosen.includes(one))

const several = <Value extends string>(known: readonly Value[], text: string): Value[] => {
  const words = text.split(',')
  return known.filter((one) => words.includes(one))
}

const some = <Value>(values: Value[]) => (values.length > 0 ? values : undefined)
