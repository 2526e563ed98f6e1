const LONGEST_SLUG = 100
const LONGEST_ADDRESS = 60
const GERMAN: Partial<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** The end of an address that says what `title` says, as the server makes it: empty where nothing can be written so. */
export function slugOf(title: string): string {
  const latin = title
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => GERMAN[letter] ?? letter)
    .normalize('NFKD')
    .replace(/[^\0-\x7f]/g, '')
  let slug = ''
  for (const word of latin.match(/[a-z0-9]+/g) ?? []) {
    const longer = slug ? `${slug}-${word}` : word.slice(0, LONGEST_SLUG)
    if (longer.length > LONGEST_SLUG) break
    slug = longer
  }
  return slug
}

/** The address of a feed that is served here. */
export const feedAddressOf = (typed: string): string => slugOf(typed).slice(0, LONGEST_ADDRESS).replace(/^-+|-+$/g, '')
