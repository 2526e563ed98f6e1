interface Page {
  next_cursor: string | null
}

/** How lists with a cursor are read page by page, for `useInfiniteQuery`. */
export const byCursor = {
  // the server takes an empty cursor for the start
  initialPageParam: '',
  getNextPageParam: (last: Page) => last.next_cursor,
}

/** The generated keys of such lists lack the tags by which a live event finds them. */
export const tagQueryKey = <Key extends object>([key]: [Key], ...tags: string[]): [Key] => [{ ...key, tags }]
