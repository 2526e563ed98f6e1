/** As people say it: without what every address begins with, and without a slash at its end. */
export const shortAddress = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/+$/, '')
