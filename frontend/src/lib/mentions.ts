const MENTION = /@\[([^[\]\n]{1,200})\]\(urn:li:(?:organization|organizationBrand|person|member):[\w-]{1,100}\)/g

/** Return the text with the name alone in place of each mention with a URN, as readers see it. */
export const namedMentions = (text: string): string => text.replace(MENTION, '$1')
