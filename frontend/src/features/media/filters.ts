import { MediaSort, MediaSource } from '@/api/types.gen'

export interface Filters {
  search: string
  source: MediaSource | null
  tag: string | null
  sort: MediaSort
}

export const SOURCES = Object.values(MediaSource)
export const SORTS = Object.values(MediaSort)

/** What the address asks for; values that do not exist count as none. */
export function readFilters(filter: (name: string) => string): Filters {
  return {
    search: filter('search'),
    source: SOURCES.find((known) => known === filter('source')) ?? null,
    tag: filter('tag') || null,
    sort: SORTS.find((known) => known === filter('sort')) ?? MediaSort.NEWEST,
  }
}

export const narrows = ({ search, source, tag }: Filters) => search !== '' || source !== null || tag !== null

/** The order that needs no word in the address. */
export const sortParameter = (sort: MediaSort) => (sort === MediaSort.NEWEST ? null : sort)
