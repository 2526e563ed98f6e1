import { MediaKind, MediaOrigin, MediaSort } from '@/api/types.gen'
import type { MediaCounts } from '@/api/types.gen'

export interface Filters {
  search: string
  /** Null for images of any origin. */
  origin: MediaOrigin | null
  /** Null for files of any kind. */
  kind: MediaKind | null
  tag: string | null
  sort: MediaSort
}

/**
 * The origins in order. Images made by assistants come last and are shown on request, since they would hide the user's
 * own.
 */
export const ORIGINS: readonly (MediaOrigin | null)[] = [...Object.values(MediaOrigin), null]
const EVERY = 'all'
export const SORTS = Object.values(MediaSort)
export const KINDS = Object.values(MediaKind)

/** Return the filters in the URL; unknown values are ignored. */
export function readFilters(filter: (name: string) => string): Filters {
  return {
    search: filter('search'),
    origin: filter('origin') === EVERY ? null : (ORIGINS.find((option) => option === filter('origin')) ?? MediaOrigin.OWN),
    kind: KINDS.find((option) => option === filter('kind')) ?? null,
    tag: filter('tag') || null,
    sort: SORTS.find((option) => option === filter('sort')) ?? MediaSort.NEWEST,
  }
}

export const narrows = ({ search, origin, kind, tag }: Filters) =>
  search !== '' || origin !== MediaOrigin.OWN || kind !== null || tag !== null

/** Return the number of images hidden only by their origin. */
export const hidden = ({ origin }: Filters, counts: MediaCounts) => (origin === MediaOrigin.OWN ? counts.assistant : 0)

/** Return the URL parameter of the origin; null for the default. */
export const originParameter = (origin: MediaOrigin | null) => (origin === MediaOrigin.OWN ? null : (origin ?? EVERY))

/** Return the URL parameter of the order; null for the default. */
export const sortParameter = (sort: MediaSort) => (sort === MediaSort.NEWEST ? null : sort)
