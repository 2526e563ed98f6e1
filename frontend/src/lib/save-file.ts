const READ_WITHIN = 60_000 // ms: the browser may first ask where to save the file

/** Return the file name of a download from its header: `attachment; filename="posts-2026-11-21.csv"`. */
export const fileNameOf = (response: Response): string | undefined =>
  /filename="([^"/\\]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]

/** Save the content as a download. Characters that file names cannot contain become hyphens. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|]/gu, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN)
}
