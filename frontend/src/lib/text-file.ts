/** What text files are written in that do not say so: of Windows, of Macs, and of programs for other alphabets. */
export const encodings = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const

export type Encoding = (typeof encodings)[number]

export interface TextFile {
  text: string
  /** Guessed, so that a person has to look; none where the file leaves no doubt. */
  guessed?: Encoding
}

const MARKS = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

/** The text of a file by its mark, as UTF-8, or by what comes closest to words. */
export function decodeTextFile(bytes: Uint8Array): TextFile {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return { text: new TextDecoder(marked[0]).decode(bytes) }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const guessed = strangeness(decodeAs(bytes, 'macintosh')) < strangeness(decodeAs(bytes, 'windows-1252')) ? 'macintosh' : 'windows-1252'
    return { text: decodeAs(bytes, guessed), guessed }
  }
}

export const decodeAs = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes)

/** How many characters stand where no such character belongs: signs within words, capitals after small letters. */
const strangeness = (text: string): number =>
  (text.match(/[\u0080-\u009f]|\p{L}[^\p{L}\p{M}\p{ASCII}’·\u00ad]|\p{Ll}(?=\P{ASCII})\p{Lu}|[šŠžŽŸıˆƒ]/gu) ?? []).length
