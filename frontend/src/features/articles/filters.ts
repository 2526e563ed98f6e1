import { PostFact, PostSort, PostStatus } from '@/api/types.gen'
import { validId } from '@/lib/url-filters'

export const STATUSES = Object.values(PostStatus)
export const FACTS = Object.values(PostFact)
export const SORTS = Object.values(PostSort)

/** The filters of a list of articles. */
export interface Filters {
  search: string
  statuses: PostStatus[]
  facts: PostFact[]
  website: string | null
  sort: PostSort
}

export const NO_FILTERS = { search: null, status: null, state: null, website: null }

/** Return the filters in the address. `byWebsite`: whether the list can be filtered by website. */
export function readFilters(filter: (name: string) => string, byWebsite: boolean): Filters {
  const statuses = filter('status').split(',')
  const facts = filter('state').split(',')
  return {
    search: filter('search'),
    statuses: STATUSES.filter((status) => statuses.includes(status)),
    facts: FACTS.filter((fact) => facts.includes(fact)),
    website: byWebsite ? validId(filter('website')) : null,
    sort: SORTS.find((sort) => sort === filter('sort')) ?? PostSort.UPDATED_LATEST,
  }
}

export const asQuery = ({ search, statuses, facts, sort }: Filters) => ({
  search,
  status: statuses.length > 0 ? statuses : undefined,
  state: facts.length > 0 ? facts : undefined,
  sort,
})

/** Return whether a filter is set. */
export const narrows = ({ search, statuses, facts, website }: Filters): boolean =>
  search !== '' || statuses.length > 0 || facts.length > 0 || website !== null
