/** A JSON answer may have been cut off, so it is not read as one. What says most comes first: `error` may be a code. */
const MESSAGES = ['message', 'error_description', 'error'].map(
  (name) => new RegExp(String.raw`^(\d{3}) \{.*?"${name}"\s*:\s*"((?:[^"\\]|\\.)*)"`, 's'),
)

/** What a network answered: of a JSON answer its message and the status, of any other all of it. */
export function networkSaid(detail: string): string {
  const [, status, message] = MESSAGES.map((said) => said.exec(detail)).find((found) => found?.[2]) ?? []
  if (!status || !message) return detail
  return `${JSON.parse(`"${message}"`) as string} (${status})`
}
