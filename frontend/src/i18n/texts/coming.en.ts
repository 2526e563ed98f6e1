/** Honest signs for pages that are not built yet: what will be here, and nothing that pretends to be there. */
export const coming = {
  notice: 'This page is not built yet',
  topics: 'You will build topic trees here: by hand, or from a pasted list.',
}
