/** A JSON answer may have been cut off, so it is not read as one. */
const MESSAGE = /^(\d{3}) \{.*?"message"\s*:\s*"((?:[^"\\]|\\.)*)"/s

/** What a network answered: of a JSON answer its message and the status, of any other all of it. */
export function networkSaid(detail: string): string {
  const [, status, message] = MESSAGE.exec(detail) ?? []
  if (!status || !message) return detail
  return `${JSON.parse(`"${message}"`) as string} (${status})`
}
