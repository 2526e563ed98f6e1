/** What is said before the sentences of the codes are there (errors.en.ts), and where those cannot be loaded. */
export const errors = {
  internal: 'An error occurred. Please try again later.',
  unreachable: 'The server did not answer. Check your connection, then try again.',
}

/** Behind a sentence: the way to the page that mends what it is about. */
export const remedies = {
  subscription: 'See subscription',
}
