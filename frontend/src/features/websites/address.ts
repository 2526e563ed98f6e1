/** Return the address without protocol and final slash. */
export const shortAddress = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/+$/, '')
