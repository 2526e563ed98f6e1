import type { QueryKey } from '@tanstack/react-query'

const tagsOf = ([first]: QueryKey): readonly string[] => (first as { tags?: readonly string[] } | undefined)?.tags ?? []

/** Return a filter of the queries with one of these API tags, which every generated query key contains. */
export const withTags = (...tags: readonly string[]) => ({
  predicate: ({ queryKey }: { queryKey: QueryKey }) => tagsOf(queryKey).some((tag) => tags.includes(tag)),
})
