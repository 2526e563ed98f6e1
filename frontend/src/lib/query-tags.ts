import type { QueryKey } from '@tanstack/react-query'

const tagsOf = ([first]: QueryKey): readonly string[] => (first as { tags?: readonly string[] } | undefined)?.tags ?? []

/** The queries that show something of one of these API tags: the key of every generated one carries its tags. */
export const withTags = (...tags: readonly string[]) => ({
  predicate: ({ queryKey }: { queryKey: QueryKey }) => tagsOf(queryKey).some((tag) => tags.includes(tag)),
})
