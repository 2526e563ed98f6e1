const ENDING = /\.(pdf|mp4|m4v|mov)$/i

/** Return the title of a document or a video that nobody typed: the file's name, cut to the limit at a word. */
export function fileTitle(name: string, limit = 200): string {
  const title = name.replace(ENDING, '').replaceAll(/[_\s]+/g, ' ').trim()
  if (title.length <= limit) return title
  const cut = title.slice(0, limit + 1)
  const word = cut.lastIndexOf(' ')
  return (word > limit / 2 ? cut.slice(0, word) : title.slice(0, limit)).trim()
}
