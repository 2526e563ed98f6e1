const LONGEST_SLUG = 100
const LONGEST_ADDRESS = 60
const GERMAN: Partial<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Return the slug of a title, as the server makes it; empty if no character can be used. */
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

/** Return the typed text as the address of a hosted feed. */
export const feedAddressOf = (typed: string): string => slugOf(typed).slice(0, LONGEST_ADDRESS).replace(/^-+|-+$/g, '')
