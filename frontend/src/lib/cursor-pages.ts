interface Page {
  next_cursor: string | null
}

/** Options of `useInfiniteQuery` that read a list page by page with a cursor. */
export const byCursor = {
  // an empty cursor means the first page
  initialPageParam: '',
  getNextPageParam: (last: Page) => last.next_cursor,
}

/** Add tags to the generated query key of a list, by which a live event finds the list. */
export const tagQueryKey = <Key extends object>([key]: [Key], ...tags: string[]): [Key] => [{ ...key, tags }]
