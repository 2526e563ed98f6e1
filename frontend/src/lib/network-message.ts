import type { TFunction } from 'i18next'

/** A JSON answer may have been cut off, so it is not read as one. What says most comes first: `error` may be a code. */
const MESSAGES = ['message', 'error_description', 'error'].map(
  (name) => new RegExp(String.raw`^(\d{3}) \{.*?"${name}"\s*:\s*"((?:[^"\\]|\\.)*)"`, 's'),
)

/** What a network answered begins with its status; all else is ours. Of a JSON answer its message and the status, of any
 * other all of it. Undefined where the network said nothing. */
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

/** Behind why something failed: what the network said, or in plain words how its answer was lost. Empty where neither is
 * known. `said` puts the network's words into a sentence. */
export function detailText(t: TFunction, detail: string, place: string, said: (words: string) => string): string {
  const words = networkMessage(detail)
  if (words !== undefined) return said(words)
  const lost = LOST[detail]
  return lost ? t(`transport.${lost}`, { place }) : ''
}
