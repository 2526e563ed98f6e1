import type { TFunction } from 'i18next'

/** A JSON answer may be cut off, so it can't be parsed. The most telling field comes first: `error` may be a code. */
const MESSAGES = ['message', 'error_description', 'error'].map(
  (name) => new RegExp(String.raw`^(\d{3}) \{.*?"${name}"\s*:\s*"((?:[^"\\]|\\.)*)"`, 's'),
)

/** Return the message of a network: of a JSON answer its message and status, of any other answer all of it. An answer
 * begins with its HTTP status; every other detail is our own, and undefined is returned. */
export function networkMessage(detail: string): string | undefined {
  if (!/^\d{3}\b/.test(detail)) return undefined
  const [, status, message] = MESSAGES.map((said) => said.exec(detail)).find((found) => found?.[2]) ?? []
  if (!status || !message) return detail
  return `${JSON.parse(`"${message}"`) as string} (${status})`
}

const LOST: Readonly<Record<string, 'unreachable' | 'late' | 'brokenOff' | 'unreadable'>> = {
  ConnectError: 'unreachable',
  ConnectTimeout: 'unreachable',
  PoolTimeout: 'unreachable',
  ProxyError: 'unreachable',
  ReadTimeout: 'late',
  TimeoutError: 'late',
  WriteTimeout: 'late',
  ReadError: 'brokenOff',
  WriteError: 'brokenOff',
  CloseError: 'brokenOff',
  RemoteProtocolError: 'brokenOff',
  DecodingError: 'unreadable',
  'an answer that does not end': 'unreadable',
}

/** Return the detail of a failure: the network's message, which `said` puts into a sentence, or how its answer was lost.
 * Empty where neither is known. */
export function detailText(t: TFunction, detail: string, place: string, said: (words: string) => string): string {
  const words = networkMessage(detail)
  if (words !== undefined) return said(words)
  const lost = LOST[detail]
  return lost ? t(`transport.${lost}`, { place }) : ''
}
