// parts of the page that a number leads to

/** The id of the list of what needs the user. */
export const NEEDS = 'needs'
