import type { TFunction } from 'i18next'

/** A JSON answer may be truncated, so it can't be parsed. The most useful field comes first: `error` may be a code. */
const MESSAGES = ['message', 'error_description', 'error'].map(
  (name) => new RegExp(String.raw`^(\d{3}) \{.*?"${name}"\s*:\s*"((?:[^"\\]|\\.)*)"`, 's'),
)

/** Return a network's message: message and status of a JSON answer, else the whole answer. A network's answer begins
 * with its HTTP status; for any other detail, which is our own, return undefined. */
export function networkMessage(detail: string): string | undefined {
  if (!/^\d{3}\b/.test(detail)) return undefined
  const [, status, message] = MESSAGES.map((pattern) => pattern.exec(detail)).find((match) => match?.[2]) ?? []
  if (!status || !message) return detail
  return `${JSON.parse(`"${message}"`) as string} (${status})`
}

const TRANSPORT: Readonly<Record<string, 'unreachable' | 'late' | 'brokenOff' | 'unreadable'>> = {
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

/** Return the detail of a failure: the network's message in the sentence of `sentenceOf`, or how the answer was lost. Empty
 * if neither is known. */
export function detailText(t: TFunction, detail: string, place: string, sentenceOf: (words: string) => string): string {
  const words = networkMessage(detail)
  if (words !== undefined) return sentenceOf(words)
  const transport = TRANSPORT[detail]
  return transport ? t(`transport.${transport}`, { place }) : ''
}
