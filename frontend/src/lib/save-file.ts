const READ_WITHIN = 60_000 // ms: the browser may ask a person where to put it first

/** Of a download, as its answer says: `attachment; filename="posts-2026-11-21.csv"`. */
export const fileNameOf = (response: Response): string | undefined =>
  /filename="([^"/\\]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]

/** Has the browser save it as a download. What no file name may hold becomes a hyphen. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|]/gu, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN)
}
