// parts of the page that a number leads to

/** Where what waits for a person is listed. */
export const NEEDS = 'needs'
