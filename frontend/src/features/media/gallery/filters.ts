import { MediaOrigin, MediaSort } from '@/api/types.gen'
import type { MediaCounts } from '@/api/types.gen'

export interface Filters {
  search: string
  /** None: whoever made them. */
  origin: MediaOrigin | null
  tag: string | null
  sort: MediaSort
}

/** What assistants make would soon hide what a person put there: they come last, and only when asked for. */
export const ORIGINS: readonly (MediaOrigin | null)[] = [...Object.values(MediaOrigin), null]
const EVERY = 'all'
export const SORTS = Object.values(MediaSort)

/** What the address asks for; values that do not exist count as none. */
export function readFilters(filter: (name: string) => string): Filters {
  return {
    search: filter('search'),
    origin: filter('origin') === EVERY ? null : (ORIGINS.find((option) => option === filter('origin')) ?? MediaOrigin.OWN),
    tag: filter('tag') || null,
    sort: SORTS.find((option) => option === filter('sort')) ?? MediaSort.NEWEST,
  }
}

export const narrows = ({ search, origin, tag }: Filters) => search !== '' || origin !== MediaOrigin.OWN || tag !== null

/** What is not shown, although the other filters let it through. */
export const hidden = ({ origin }: Filters, counts: MediaCounts) => (origin === MediaOrigin.OWN ? counts.assistant : 0)

/** As the address has it: what is shown first needs no word. */
export const originParameter = (origin: MediaOrigin | null) => (origin === MediaOrigin.OWN ? null : (origin ?? EVERY))

/** The order that needs no word in the address. */
export const sortParameter = (sort: MediaSort) => (sort === MediaSort.NEWEST ? null : sort)
