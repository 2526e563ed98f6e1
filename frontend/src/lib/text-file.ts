/** Encodings of text files without a byte order mark: of Windows, of Macs, and for other alphabets. */
export const encodings = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const

export type Encoding = (typeof encodings)[number]

export interface TextFile {
  text: string
  /** The encoding, if it is a guess that the user has to check. */
  guessed?: Encoding
}

const MARKS = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

/** Return the text of a file: by its byte order mark, as UTF-8, or in the encoding that looks most like words. */
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

/** Count the characters in unlikely places: signs within words, capitals after small letters. */
const strangeness = (text: string): number =>
  (text.match(/[\u0080-\u009f]|\p{L}[^\p{L}\p{M}\p{ASCII}’·\u00ad]|\p{Ll}(?=\P{ASCII})\p{Lu}|[šŠžŽŸıˆƒ]/gu) ?? []).length
